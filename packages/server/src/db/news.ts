import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { type Listener, listen } from './listen.ts';

/**
 * Notifications of one channel, heard on one connection for all who wait. A notification may get lost, so who waits looks at
 * intervals as well.
 */
export interface News {
  /**
   * Calls `look` at once, on each notification about `id`, and at intervals, until it returns something.
   *
   * @returns What `look` returned; null when the time is up.
   */
  wait<T>(id: string, look: () => Promise<T | null>, patienceMs: number): Promise<T | null>;
  stop(): Promise<void>;
}

interface NewsOptions {
  channel: string;
  /** What a notification's text is about. */
  idOf: (payload: string) => string;
  onError: (error: Error) => void;
}

const lookAgainMs = 500;

interface Waiter {
  /** Calls `look` again. */
  wake: () => void;
}

const sleepOn = (): void => undefined;

export const createNews = <Tables>(db: Kysely<Tables>, { channel, idOf, onError }: NewsOptions): News => {
  const waiting = new Map<string, Set<Waiter>>();
  let listener: Listener | undefined;

  const heard = (payload: string | null): void => {
    const those = payload === null ? [...waiting.values()] : [waiting.get(idOf(payload))];
    for (const waiters of those) for (const waiter of waiters ?? []) waiter.wake();
  };

  return {
    async wait(id, look, patienceMs) {
      // Connects with the first waiting call: most processes that only read, or run tests, never need the connection.
      listener ??= listen(db, { channel, heard, onError });
      const untilMs = performance.now() + patienceMs;
      const waiter: Waiter = { wake: sleepOn };
      const waiters = waiting.get(id) ?? new Set();
      waiting.set(id, waiters.add(waiter));
      try {
        for (;;) {
          const ended = new AbortController();
          const news = new Promise<void>((resolve) => {
            waiter.wake = resolve;
          });
          const found = await look();
          if (found !== null) return found;
          const leftMs = untilMs - performance.now();
          if (leftMs <= 0) return null;
          const pause = sleep(Math.min(leftMs, lookAgainMs), undefined, { signal: ended.signal });
          await Promise.race([news, pause.catch(() => undefined)]); // aborted below
          ended.abort();
        }
      } finally {
        waiters.delete(waiter);
        if (waiters.size === 0) waiting.delete(id);
      }
    },
    async stop() {
      await listener?.stop();
    },
  };
};
