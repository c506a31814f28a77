import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../failure.ts';

/** What is done alone takes milliseconds: who holds a lock for longer is gone, and left it. */
const staleMs = 5_000;
/** Longer than until a lock is stale, so that nobody waits for one in vain. */
const patienceMs = 15_000;
const everyMs = 10;

/**
 * Does something with a file while no other process does. Both have to come here for it.
 *
 * @throws Failure when the lock beside the file stays, which nothing but a damaged folder does.
 */
export const alone = <T>(path: string, work: () => T): T => {
  const lock = `${path}.lock`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let waitedMs = 0; !isTaken(lock); waitedMs += everyMs) {
    if (waitedMs > patienceMs)
      throw new Failure('later', `Another command is changing ${path}.`, `If none is, delete ${lock}.`);
    if (isStale(lock)) breakStale(lock);
    sleep(everyMs);
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
};

/** Made by one process only. @returns Whether that is this one. */
const isTaken = (lock: string): boolean => {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

const isStale = (lock: string): boolean => {
  const made = statSync(lock, { throwIfNoEntry: false });
  return made !== undefined && Date.now() - made.mtimeMs > staleMs;
};

/** Of two that see the same stale lock, the later one must not take away what the earlier one has made since. */
const breakStale = (lock: string): void => {
  const breaking = `${lock}.stale`;
  if (!isTaken(breaking)) return;
  try {
    if (isStale(lock)) rmSync(lock, { force: true });
  } finally {
    rmSync(breaking, { force: true });
  }
};

const sleep = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};
