import { resolve } from 'node:path';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Closers } from './closers.ts';
import type { Config } from './config.ts';
import type { Database } from './db/chainTables.ts';
import { watchClock } from './db/clock.ts';
import { migrate } from './db/migrate.ts';
import { startDatabase } from './db/startDatabase.ts';

export interface Storage {
  /** For further connections. */
  url: string;
  db: Kysely<Database>;
}

/** Starts or reaches the database, brings its tables up to date, and ends the process when its clock leaves ours. */
export const openStorage = async (config: Config, log: Logger, closers: Closers): Promise<Storage> => {
  const { databaseUrl } = config;
  const database = await startDatabase({
    home: resolve(config.home),
    ...(databaseUrl === null ? {} : { url: databaseUrl }),
  });
  closers.add(database.stop);
  const { db, url } = database;
  await migrate(db);
  closers.add(watchClock(db, { tell: (line) => log.warn(line), refuse: endProcess }));
  return { url, db };
};

/** Raises an uncaught error, which ends the process in order so that a supervisor restarts it. */
const endProcess = (error: Error): void => {
  setImmediate(() => {
    throw error;
  });
};
