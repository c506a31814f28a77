import type { Kysely } from 'kysely';
import { Bell } from '../bell.ts';
import type { Database } from '../db/chainTables.ts';
import { prune } from '../db/outbox.ts';
import type { Log } from '../log.ts';
import { dropMonths } from './dropMonths.ts';

const everyMs = 60_000;

/**
 * Every minute until `stop`: deletes old stream events, and drops months that are older than are kept (null: none is).
 * Several indexers may do it at once.
 */
export const keepOldOut = (db: Kysely<Database>, log: Log, months: number | null): { stop(): Promise<void> } => {
  const bell = new Bell();
  const ending = new AbortController();
  const loop = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await prune(db).catch((error: Error) => log.warn({ reason: error.message }, 'old stream events stay for now'));
      if (months !== null) await drop(db, log, months);
      await bell.wait(everyMs);
    }
  };
  const ended = loop();
  return {
    async stop() {
      ending.abort();
      bell.ring();
      await ended;
    },
  };
};

const drop = async (db: Kysely<Database>, log: Log, months: number): Promise<void> => {
  try {
    const from = await dropMonths(db, months);
    if (from !== null) log.info({ from: from.toISOString() }, 'older trades, transfers and fee credits were dropped');
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'old months stay for now');
  }
};
