import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { DatabaseUnavailableError } from './databaseUnavailable.ts';

/** Difference of clocks from which a warning is logged, milliseconds. */
const tellFromMs = 5_000;
/**
 * Difference of clocks from which nothing that expires can be judged: sessions, signed actions, deadlines.
 * Milliseconds.
 */
const refuseFromMs = 60_000;

/**
 * The least that our clock is ahead of the database's, milliseconds; negative when it is behind. The database read its
 * clock at some moment during the query, so after a query that took minutes hardly anything is certain.
 */
const leastSkewMs = async <Tables>(db: Kysely<Tables>, now: () => number): Promise<number> => {
  const before = now();
  const { rows } = await sql<{
    ms: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
  const there = rows[0]?.ms ?? 0;
  return there < before ? before - there : Math.min(0, now() - there);
};

const sentence = (skew: number): string =>
  `this machine's clock is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? 'ahead of' : 'behind'} the database's: ` +
  'set both by NTP';

/** @throws When our clock and the database's differ by more than a minute. */
export const requireSameTime = async <Tables>(
  db: Kysely<Tables>,
  now: () => number,
  tell: (line: string) => void = console.error,
): Promise<void> => {
  const skew = await leastSkewMs(db, now);
  if (Math.abs(skew) > refuseFromMs) throw new Error(sentence(skew));
  if (Math.abs(skew) > tellFromMs) tell(sentence(skew));
};

/**
 * Compares the clocks every minute. While the database is away nothing is compared.
 *
 * @param refuse - Called with the error when they differ by more than a minute.
 * @returns Stops the comparison.
 */
export const watchClock = <Tables>(
  db: Kysely<Tables>,
  { tell, refuse, now = Date.now, everyMs = 60_000 }: ClockWatch,
): (() => Promise<void>) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    for (;;) {
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await requireSameTime(db, now, tell);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof DatabaseUnavailableError)) refuse(error as Error);
      }
    }
  };
  const done = run();
  return async () => {
    stopping.abort();
    await done;
  };
};

export interface ClockWatch {
  /** More than 5 s. */
  tell: (line: string) => void;
  /** More than a minute. */
  refuse: (error: Error) => void;
  /** Our clock, milliseconds since 1970. */
  now?: () => number;
  everyMs?: number;
}
