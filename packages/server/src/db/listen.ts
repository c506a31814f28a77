import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { backoffMs } from '../backoff.ts';
import { Bell } from '../bell.ts';
import { DatabaseClient } from './databaseClient.ts';
import { placeOf } from './openDatabase.ts';

export interface Listener {
  stop(): Promise<void>;
}

export interface ListenOptions {
  channel: string;
  /**
   * Called with a notification's text; with null when some may have been missed: at the start, and after every
   * reconnect.
   */
  heard: (payload: string | null) => void;
  /** What the connection is called in the database; absent: as the address says. */
  name?: string;
  /** The connection was lost or could not be made; another attempt follows. */
  onError: (error: Error) => void;
}

/** Listens on a connection of its own, outside the pool of `db`, and reconnects whenever it is lost, until `stop`. */
export const listen = <Tables>(db: Kysely<Tables>, { channel, name, heard, onError }: ListenOptions): Listener => {
  const ending = new AbortController();
  const { signal } = ending;
  let failures = 0;

  const session = async (): Promise<void> => {
    // Of this connection alone: what rings when it is closed must not cut the rest before the next one short.
    const bell = new Bell();
    const client = new DatabaseClient({ ...placeOf(db), keepAlive: true });
    const lost: Error[] = [];
    client.on('error', (error) => {
      lost.push(error);
      bell.ring();
    });
    client.on('end', () => {
      lost.push(new Error('the database closed the connection'));
      bell.ring();
    });
    client.on('notification', ({ payload }) => heard(payload ?? ''));
    const ring = (): void => bell.ring();
    signal.addEventListener('abort', ring);
    try {
      await client.connect();
      if (name !== undefined) await client.query(`select set_config('application_name', $1, false)`, [name]);
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      failures = 0;
      heard(null);
      while (!signal.aborted && lost.length === 0) await bell.wait(longMs);
      if (!signal.aborted) throw lost[0];
    } finally {
      signal.removeEventListener('abort', ring);
      await client.end().catch(() => undefined); // it may be closed already
    }
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await session();
      } catch (error) {
        failures += 1;
        if (!signal.aborted) onError(error as Error);
        // Only `stop` ends the rest early.
        await sleep(backoffMs(failures, 200, 5_000), undefined, { signal }).catch(() => undefined);
      }
    }
  };
  const ended = run();
  return {
    async stop() {
      ending.abort();
      await ended;
    },
  };
};

const longMs = 3_600_000;
