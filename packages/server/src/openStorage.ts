import { resolve } from 'node:path';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Closers } from './closers.ts';
import type { Config } from './config.ts';
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

/** Starts or reaches the database, brings its tables up to date, and ends the process when its clock leaves ours. */
export const openStorage = async (config: Config, log: Logger, closers: Closers): Promise<Storage> => {
  const { databaseUrl, databaseReplicaUrls: replicaUrls } = config;
  const { db, url, servers, stop } = await startDatabase({
    home: resolve(config.home),
    replicaUrls,
    log,
    ...(databaseUrl === null ? {} : { url: databaseUrl }),
  });
  closers.add(stop);
  await migrate(db, { log });
  closers.add(watchClock(db, { tell: (line) => log.warn(line), refuse: endProcess }));
  return { url, servers, db };
};

/** Raises an uncaught error, which ends the process in order so that a supervisor restarts it. */
const endProcess = (error: Error): void => {
  setImmediate(() => {
    throw error;
  });
};
