import { MintageError } from '@mintage/protocol';
import { Counts, type Sender } from './shares.ts';

export type GiveBack = () => void;

export interface Places {
  /**
   * @throws MintageError RATE_LIMIT_EXCEEDED when this sender holds its share, SERVICE_UNAVAILABLE when no place is
   * free.
   */
  take(sender: Sender): GiveBack;
}

export interface PlaceOptions {
  /** Most places of one owner (`Sender.owner`). */
  perOwner: number;
  /** Most places of one address, however many owners share it. */
  perAddress: number;
  /** Most places of all senders together. */
  all: number;
}

/** Bounds the memory used by large bodies: each sender gets a few places, and all senders together not many more. */
export const createPlaces = ({ perOwner, perAddress, all }: PlaceOptions): Places => {
  const [owners, addresses] = [new Counts(), new Counts()];
  let sum = 0;
  const change = ({ owner, address }: Sender, by: number): void => {
    owners.add(owner, by);
    addresses.add(address, by);
    sum += by;
  };
  return {
    take(sender) {
      if (owners.of(sender.owner) >= perOwner) throw tooMany(perOwner, '');
      if (addresses.of(sender.address) >= perAddress) throw tooMany(perAddress, ' from one address');
      if (sum >= all) throw new MintageError('SERVICE_UNAVAILABLE', 'All places for large bodies are taken');
      change(sender, 1);
      let isBack = false;
      return () => {
        if (isBack) return;
        isBack = true;
        change(sender, -1);
      };
    },
  };
};

const tooMany = (most: number, ofWhom: string): MintageError =>
  new MintageError('RATE_LIMIT_EXCEEDED', `More than ${most} large bodies at once${ofWhom}`);
