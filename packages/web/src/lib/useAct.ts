import { useState } from 'react';

/** Something that a person does and that takes a while: one at a time, and what went wrong stays until the next try. */
export interface Act {
  /** What is going on, in words; null: nothing. */
  doing: string | null;
  error: unknown;
  /** @returns Whether it was done. */
  run(doing: string, work: (say: (doing: string) => void) => Promise<unknown>): Promise<boolean>;
}

export const useAct = (): Act => {
  const [state, setState] = useState<{ doing: string | null; error: unknown }>({ doing: null, error: null });
  const say = (doing: string): void => setState({ doing, error: null });
  return {
    ...state,
    async run(doing, work) {
      say(doing);
      try {
        await work(say);
        setState({ doing: null, error: null });
        return true;
      } catch (error) {
        setState({ doing: null, error });
        return false;
      }
    },
  };
};
