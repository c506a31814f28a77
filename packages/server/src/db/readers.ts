import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from './chainTables.ts';
import { type OpenOptions, openDatabase } from './openDatabase.ts';
import type { Servers } from './servers.ts';
import type { ServerState, WatchedServer } from './watchServer.ts';

/** The standbys of a database, for reads. */
export interface Readers {
  /** Every server, opened; one that takes writes now may be a standby later. */
  readonly all: readonly Kysely<Database>[];
  /**
   * One that shows whatever was committed before the call, by whichever process.
   *
   * @returns Null when there is none, or the one whose turn it is lags behind: the server that takes writes is to be asked.
   */
  next(): Promise<Kysely<Database> | null>;
  /** How many servers take writes, follow, or do not answer. */
  counts(): Record<'writable' | 'standby' | 'away', number>;
  stop(): Promise<void>;
}

/** How long a read waits for a standby to catch up. */
const patienceMs = 50;
const pauseMs = 1;
/** How long one that did not is left alone. */
const restMs = 1_000;

interface Reader {
  server: WatchedServer;
  db: Kysely<Database>;
  /** On the clock of `performance.now()`. */
  restsUntil: number;
}

export const openReaders = (servers: Servers, options: Omit<OpenOptions, 'servers'>): Readers => {
  const readers = servers.all.map(
    (server): Reader => ({ server, db: openDatabase(server.url, options), restsUntil: 0 }),
  );
  let turn = 0;

  const one = (): Reader | undefined => {
    const now = performance.now();
    const fit = readers.filter(({ server, restsUntil }) => server.state?.isStandby === true && restsUntil <= now);
    turn += 1;
    return fit[turn % fit.length];
  };

  return {
    all: readers.map(({ db }) => db),
    async next() {
      const reader = one();
      if (reader === undefined) return null;
      const state = await servers.writable().look();
      if (state === null || state.isStandby) return null;
      if (await shows(reader, state)) return reader.db;
      reader.restsUntil = performance.now() + restMs;
      return null;
    },
    counts() {
      const counts = { writable: 0, standby: 0, away: 0 };
      for (const { state } of servers.all)
        counts[state === null ? 'away' : state.isStandby ? 'standby' : 'writable'] += 1;
      return counts;
    },
    async stop() {
      await Promise.all(readers.map(({ db }) => db.destroy()));
    },
  };
};

/** Whether it shows all that the primary held, now or soon. One that follows no more, or another, is on another timeline. */
const shows = async ({ server }: Reader, primary: ServerState): Promise<boolean> => {
  const untilMs = performance.now() + patienceMs;
  for (let state = server.state; ; state = await server.look()) {
    if (state === null || !state.isStandby) return false;
    if (state.timeline === primary.timeline && state.position >= primary.position) return true;
    if (performance.now() > untilMs) return false;
    await sleep(pauseMs);
  }
};
