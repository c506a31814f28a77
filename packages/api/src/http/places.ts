import { MintageError } from '@mintage/protocol';

export type GiveBack = () => void;

export interface Places {
  /** @throws MintageError RATE_LIMIT_EXCEEDED when this sender has its share, SERVICE_UNAVAILABLE when there is none left. */
  take(sender: string): GiveBack;
}

/** Bounds the memory of what is large: a sender has a few places, and all senders together not many more. */
export const createPlaces = (each: number, all: number): Places => {
  const taken = new Map<string, number>();
  let sum = 0;
  return {
    take(sender) {
      const own = taken.get(sender) ?? 0;
      if (own >= each) throw new MintageError('RATE_LIMIT_EXCEEDED', `More than ${each} large bodies at once`);
      if (sum >= all) throw new MintageError('SERVICE_UNAVAILABLE', 'All places for large bodies are taken');
      taken.set(sender, own + 1);
      sum += 1;
      let isBack = false;
      return () => {
        if (isBack) return;
        isBack = true;
        sum -= 1;
        const left = (taken.get(sender) ?? 0) - 1;
        if (left > 0) taken.set(sender, left);
        else taken.delete(sender);
      };
    },
  };
};
