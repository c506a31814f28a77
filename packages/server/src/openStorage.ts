import { resolve } from 'node:path';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Closers } from './closers.ts';
import type { Config } from './config.ts';
import { isOwner, waitForAccount } from './db/accounts.ts';
import type { Database } from './db/chainTables.ts';
import { watchClock } from './db/clock.ts';
import { migrate } from './db/migrate.ts';
import type { Servers } from './db/servers.ts';
import { startDatabase } from './db/startDatabase.ts';

export interface Storage {
  /** For further connections. */
  url: string;
  /** Of a database with several servers. */
  servers?: Servers | undefined;
  db: Kysely<Database>;
}

/**
 * Starts or reaches the database, brings its tables up to date or waits until their owner has done so, and ends the process when its
 * clock leaves ours.
 */
export const openStorage = async (config: Config, log: Logger, closers: Closers): Promise<Storage> => {
  const { databaseUrl, databaseReplicaUrls: replicaUrls } = config;
  const { db, url, servers, stop } = await startDatabase({
    home: resolve(config.home),
    replicaUrls,
    log,
    ...(databaseUrl === null ? {} : { url: databaseUrl }),
  });
  closers.add(stop);
  if (await isOwner(db)) {
    await migrate(db, { log });
    if (config.production && databaseUrl !== null && config.roles.size === 1) log.warn(ownsTables);
  } else await waitForAccount(db, config.roles, log);
  closers.add(watchClock(db, { tell: (line) => log.warn(line), refuse: endProcess }));
  return { url, servers, db };
};

const ownsTables =
  'This process owns the tables of all roles. Give each role an account of its own: docs/running.md, "One database account per role".';

/** Raises an uncaught error, which ends the process in order so that a supervisor restarts it. */
const endProcess = (error: Error): void => {
  setImmediate(() => {
    throw error;
  });
};
