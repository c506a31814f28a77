import { exitCodes } from './failure.ts';

let say: (() => void) | null = null;

/** Ends the program at Ctrl-C. What is on its way goes on, so that by which it is found again is said first. */
export const interrupt = (): void => {
  say?.();
  process.exit(exitCodes.interrupted.code);
};

/** @param told - Says what is on its way, and how to look at it. */
export const sayAtInterrupt = async <T>(told: () => void, work: () => Promise<T>): Promise<T> => {
  say = told;
  try {
    return await work();
  } finally {
    say = null;
  }
};
