import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from './chainTables.ts';
import type { DatabaseClient } from './databaseClient.ts';
import { type OpenOptions, openDatabase } from './openDatabase.ts';
import type { Servers } from './servers.ts';
import type { ServerState, WatchedServer } from './watchServer.ts';

/** The standbys of a database, for reads. */
export interface Readers {
  /** Every server, opened; one that takes writes now may be a standby later. */
  readonly all: readonly Kysely<Database>[];
  /**
   * One that shows whatever was safe on the disk before the call, by whichever process: all that was answered or told.
   *
   * @returns Null when there is none, or the one whose turn it is lags behind: the server that takes writes is to be asked.
   */
  next(): Promise<Kysely<Database> | null>;
  /** How many servers take writes, follow, follow no more, or do not answer. */
  counts(): Record<'writable' | 'standby' | 'apart' | 'away', number>;
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
  const readers = servers.all.map((server): Reader => {
    const kept = new Set<DatabaseClient>();
    const keep = (client: DatabaseClient): void => {
      kept.add(client);
      client.once('end', () => kept.delete(client));
    };
    // A read at a server that says nothing would wait as long as its caller does, and is asked again elsewhere when it is cut.
    server.onAway(() => {
      for (const client of kept) client.cut(new Error('the server does not answer'));
    });
    return { server, db: openDatabase(server.url, { ...options, keep }), restsUntil: 0 };
  });
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
      const counts = { writable: 0, standby: 0, apart: 0, away: 0 };
      const primary = servers.writable().state;
      for (const { state } of servers.all) {
        if (state === null) counts.away += 1;
        else if (!state.isStandby) counts.writable += 1;
        else counts[follows(state, primary) ? 'standby' : 'apart'] += 1;
      }
      return counts;
    },
    async stop() {
      await Promise.all(readers.map(({ db }) => db.destroy()));
    },
  };
};

/** One that follows no more, or another, is on another timeline; or it is of another database. */
const follows = (state: ServerState, primary: ServerState | null): boolean =>
  state.isStandby && state.system === primary?.system && state.timeline === primary.timeline;

/** Whether it shows all that the primary held, now or soon. */
const shows = async ({ server }: Reader, primary: ServerState): Promise<boolean> => {
  const untilMs = performance.now() + patienceMs;
  let { state } = server;
  while (state === null || !follows(state, primary) || state.position < primary.position) {
    const leftMs = untilMs - performance.now();
    if (state === null || leftMs <= 0) return false;
    await sleep(pauseMs);
    state = await Promise.race([server.look(), sleep(leftMs, null)]);
  }
  return true;
};
