import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database, RunningDatabase } from '@mintage/server/db';
import { migrate, openDatabase, startEmbeddedPostgres } from '@mintage/server/db';
import { type Kysely, sql } from 'kysely';

/**
 * An own, empty database with all tables, for one test file: on the server of `TEST_DATABASE_URL`, or on one
 * embedded server that all files of this process share. `stop()` drops it; whatever a killed run left on a given server
 * goes with a run an hour later.
 */
export const testDatabase = async (): Promise<RunningDatabase> => {
  const database = await createDatabase(await serverUrl());
  try {
    await migrate(database.db);
  } catch (error) {
    await database.stop();
    throw error;
  }
  return database;
};

/** As `testDatabase`, but without any table. */
export const emptyDatabase = async (): Promise<RunningDatabase> => createDatabase(await serverUrl(), 'template0');

/**
 * A database with all tables on a given server, which test databases copy when `TEST_DATABASE_TEMPLATE` names it.
 * `stop()` drops it.
 */
export const testTemplate = async (server: string): Promise<TestTemplate> => {
  const { db, url, stop } = await createDatabase(server);
  await migrate(db);
  await db.destroy(); // a database in use cannot be copied
  return { name: new URL(url).pathname.slice(1), url, stop };
};

export interface TestTemplate {
  name: string;
  url: string;
  stop(): Promise<void>;
}

let embedded: Promise<string> | undefined;

const serverUrl = async (): Promise<string> => {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return given;
  embedded ??= startEmbedded();
  return embedded;
};

/** Ends with this process, which also takes its files. */
const startEmbedded = async (): Promise<string> => {
  const home = mkdtempSync(join(filesOfServer(), 'mintage-test-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  process.once('SIGTERM', () => process.exit()); // so does the runner end its workers
  chmodSync(home, 0o711); // the server may run under another account
  const { url } = await startEmbeddedPostgres({ home, temporary: true });
  await migrateTemplate(url);
  return url;
};

/**
 * In memory, where there is room for it: a database is a thousand files, and where thousands were just deleted a disk's file system
 * looks at each of them for every file that it makes.
 */
const filesOfServer = (): string => {
  const inMemory = '/dev/shm';
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > 2 ** 31 ? inMemory : tmpdir();
};

/** Every new database of a server is a copy of this one, which takes less time than making the tables anew. */
const migrateTemplate = async (server: string): Promise<void> => {
  const template = openDatabase(databaseOn(server, 'template1'), { maxConnections: 1 });
  await migrate(template);
  await template.destroy();
};

const createDatabase = async (
  server: string,
  template = process.env.TEST_DATABASE_TEMPLATE ?? 'template1',
): Promise<RunningDatabase> => {
  const admin = openDatabase(server, { maxConnections: 1 });
  await dropForgotten(admin);
  const name = `mintage_test_${Math.floor(Date.now() / 1000)}_${randomUUID().slice(0, 8)}`;
  // On a server without fsync, copying files costs a quarter of writing each page to the log, which is the default.
  await sql`create database ${sql.id(name)} template ${sql.id(template)} strategy file_copy`.execute(admin);
  const url = databaseOn(server, name);
  const db = openDatabase(url);
  const stop = async () => {
    await db.destroy();
    await sql`drop database ${sql.id(name)} with (force)`.execute(admin);
    await admin.destroy();
  };
  return { db, url, stop };
};

const databaseOn = (server: string, name: string): string => {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

const dropForgotten = async (admin: Kysely<Database>): Promise<void> => {
  const anHourAgo = Math.floor(Date.now() / 1000) - 3600;
  const { rows } = await sql<{ datname: string }>`select datname from pg_database
    where datname ~ '^mintage_test_[0-9]+_' and split_part(datname, '_', 3)::bigint < ${anHourAgo}`.execute(admin);
  for (const { datname } of rows) await sql`drop database if exists ${sql.id(datname)} with (force)`.execute(admin);
};
