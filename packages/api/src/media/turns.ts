import { MintageError } from '@mintage/protocol';

export interface TurnOptions {
  /** Tasks at once. */
  places: number;
  /** Tasks of one owner at once; below `places`, so that nobody ever holds them all. */
  perOwner: number;
  /** Tasks of one owner that may wait. */
  waitingPerOwner: number;
}

/** For whom something costly is done. */
export interface Asker {
  /** Whose share of the places it takes: a user. */
  owner: string;
  /** Aborts when nobody waits for the answer any more. */
  gone?: AbortSignal;
}

interface Waiting {
  start: () => void;
  drop: () => void;
}

/**
 * Shares a few places among owners: who waits gets the next free place in rotation, one task an owner, so that a hundred
 * tasks of one owner delay another's by none of them. A task whose asker is gone while it waits is never started.
 *
 * @throws MintageError RATE_LIMIT_EXCEEDED when too many tasks of the owner wait already, SERVICE_UNAVAILABLE to an asker
 * who is gone.
 */
export type Turns = <T>(asker: Asker, task: () => Promise<T>) => Promise<T>;

export const createTurns = ({ places, perOwner, waitingPerOwner }: TurnOptions): Turns => {
  let free = places;
  const running = new Map<string, number>();
  /** In the order of the rotation: who has just had a turn is last. */
  const queues = new Map<string, Waiting[]>();

  const mayStart = (owner: string): boolean => free > 0 && (running.get(owner) ?? 0) < perOwner;

  const toTheEnd = (owner: string): void => {
    const queue = queues.get(owner);
    queues.delete(owner);
    if (queue !== undefined && queue.length > 0) queues.set(owner, queue);
  };
  const startWaiting = (): void => {
    for (const [owner, queue] of queues) {
      if (!mayStart(owner)) continue;
      const next = queue.shift();
      toTheEnd(owner);
      next?.start();
    }
  };

  const enter = (owner: string): void => {
    free -= 1;
    running.set(owner, (running.get(owner) ?? 0) + 1);
  };
  const leave = (owner: string): void => {
    free += 1;
    const others = (running.get(owner) ?? 1) - 1;
    if (others > 0) running.set(owner, others);
    else running.delete(owner);
    toTheEnd(owner);
    startWaiting();
  };

  const turnOf = (owner: string, gone: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(owner) ?? [];
      if (queue.length >= waitingPerOwner) throw tooMany();
      const waiting: Waiting = {
        start: () => {
          gone?.removeEventListener('abort', waiting.drop);
          enter(owner);
          resolve();
        },
        drop: () => {
          const left = queue.filter((one) => one !== waiting);
          queue.splice(0, queue.length, ...left);
          if (queue.length === 0) queues.delete(owner);
          reject(goneAway());
        },
      };
      gone?.addEventListener('abort', waiting.drop, { once: true });
      queue.push(waiting);
      queues.set(owner, queue);
    });

  return async ({ owner, gone }, task) => {
    if (gone?.aborted) throw goneAway();
    if (!queues.has(owner) && mayStart(owner)) enter(owner);
    else await turnOf(owner, gone);
    try {
      return await task();
    } finally {
      leave(owner);
    }
  };
};

/** The answer to it reaches nobody. */
export const goneAway = (): MintageError => new MintageError('SERVICE_UNAVAILABLE', 'The answer took too long');

const tooMany = (): MintageError =>
  new MintageError('RATE_LIMIT_EXCEEDED', 'Too many of your files are being worked on', {
    details: { retryAfterSeconds: 2 },
  });
