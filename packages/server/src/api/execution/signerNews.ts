import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Listener, listen } from '../../db/listen.ts';
import type { Db } from '../../db/serviceTables.ts';
import { signedChannel } from '../../db/signerTables.ts';

/**
 * Listens for the signers' notifications, on one connection for all waiting calls. A notification may get lost, so the
 * tables are polled as well.
 */
export interface SignerNews {
  /**
   * Calls `look` at once, on each notification about `id`, and at intervals, until it returns something.
   *
   * @param id - Id of an intent, or of the user whose wallet is being created.
   * @returns What `look` returned; null when the time is up.
   */
  wait<T>(id: string, look: () => Promise<T | null>, patienceMs: number): Promise<T | null>;
  stop(): Promise<void>;
}

const lookAgainMs = 500;

interface Waiter {
  /** Calls `look` again. */
  wake: () => void;
}

const sleepOn = (): void => undefined;

export const createSignerNews = (db: Db, log: Logger): SignerNews => {
  const waiting = new Map<string, Set<Waiter>>();
  let listener: Listener | undefined;

  const heard = (id: string | null): void => {
    const those = id === null ? [...waiting.values()] : [waiting.get(id)];
    for (const waiters of those) for (const waiter of waiters ?? []) waiter.wake();
  };
  const onError = (err: Error): void => log.warn({ err }, 'The signers cannot be heard now; the tables are asked.');

  return {
    async wait(id, look, patienceMs) {
      // Connects with the first waiting call: most processes that only read, or run tests, never need the connection.
      listener ??= listen(db, { channel: signedChannel, heard, onError });
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
