import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { backoffMs } from '../backoff.ts';
import type { Log } from '../log.ts';
import type { Database } from './chainTables.ts';

/**
 * What the chains say, what the service keeps, and what it shares with the signer: closed, since `all` changed what they made.
 * Every further file belongs in `all`, so that files run in the same order on a database of before and on a new one.
 */
const ownFolders = ['chain', 'service', 'signer', 'all'].map(
  (name) => new URL(`./migrations/${name}/`, import.meta.url),
);

interface MigrateOptions {
  folders?: readonly URL[];
  only?: (name: string) => boolean;
  log?: Pick<Log, 'warn'>;
}

/**
 * Brings all tables up to date: runs the `.sql` files that have not run yet, in the order of their names within a folder,
 * each in its own transaction, or as one statement that makes an index concurrently. Several processes may do it at once (they queue).
 *
 * @param folders - URLs with a slash at the end; no two files have the same name.
 * @param only - Which files run; absent: all.
 * @param log - Hears when a file waits for somebody who holds what it changes.
 * @returns Names of the files that this call ran.
 * @throws When a file that ran earlier has another text now: a migration is never edited, a further one is added.
 */
export const migrate = async (
  db: Kysely<Database>,
  { folders = ownFolders, only = () => true, log }: MigrateOptions = {},
): Promise<string[]> => {
  await createMigrationTable(db);
  const ran: string[] = [];
  for (const folder of folders) {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && only(name)).toSorted();
    for (const name of names) {
      const text = await readFile(new URL(name, folder), 'utf8');
      if (await runOnce(db, name, text, log)) ran.push(name);
    }
  }
  return ran;
};

/** Names of the files that `migrate` would run; all of them on an empty database. Reads only. */
export const unappliedMigrations = async (db: Kysely<Database>): Promise<string[]> => {
  const there = await sql<{ is: boolean }>`select to_regclass('migration') is not null as is`.execute(db);
  const ran = there.rows[0]?.is ? await db.selectFrom('migration').select('name').execute() : [];
  const done = new Set(ran.map(({ name }) => name));
  const names = await Promise.all(ownFolders.map((folder) => readdir(folder)));
  return names.flat().filter((name) => name.endsWith('.sql') && !done.has(name));
};

const runOnce = (db: Kysely<Database>, name: string, text: string, log: MigrateOptions['log']): Promise<boolean> =>
  madeConcurrently.test(text) ? makeIndexOnce(db, name, text) : runTextOnce(db, name, text, log);

/**
 * Behind a lock that waits everybody queues who wants the table. So a file waits only shortly for whoever reads for long, lets the others
 * pass, and tries again.
 */
const runTextOnce = async (
  db: Kysely<Database>,
  name: string,
  text: string,
  log: MigrateOptions['log'],
): Promise<boolean> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async (tx) => {
        await sql`lock table migration in exclusive mode`.execute(tx);
        if (await hasRun(tx, name, text)) return false;
        await sql`select set_config('lock_timeout', ${String(patienceMs)}, true)`.execute(tx);
        await sql.raw(text).execute(tx);
        await writeDown(tx, name, text);
        return true;
      });
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable) throw error;
      log?.warn({ migration: name, attempt }, 'A migration waits for a long transaction, and lets others pass.');
      await sleep(backoffMs(attempt, 2 * pauseMs, 20_000)); // who waits behind it for a second has the longer rest
    }
  }
};

const lockNotAvailable = '55P03';
const patienceMs = 1_000;
const pauseMs = 500;

const madeConcurrently = /^create index concurrently (\w+)/im;

/**
 * Makes an index in no transaction, which is how nobody waits for it. It waits for every transaction itself, so those who wait for it
 * must not be in one. What an attempt left behind that was cut off is no use.
 */
const makeIndexOnce = (db: Kysely<Database>, name: string, text: string): Promise<boolean> =>
  db.connection().execute(async (connection) => {
    const [, index = ''] = madeConcurrently.exec(text) ?? [];
    while (!(await hasTurn(connection))) await sleep(pauseMs);
    try {
      if (await hasRun(connection, name, text)) return false;
      await sql`drop index concurrently if exists ${sql.id(index)}`.execute(connection);
      await sql.raw(text).execute(connection);
      await writeDown(connection, name, text);
      return true;
    } finally {
      await sql`select pg_advisory_unlock(hashtext('migration'))`.execute(connection);
    }
  });

const hasTurn = async (connection: Kysely<Database>): Promise<boolean> => {
  const { rows } = await sql<{ is: boolean }>`select pg_try_advisory_lock(hashtext('migration')) as is`.execute(
    connection,
  );
  return rows[0]?.is ?? false;
};

const hasRun = async (db: Kysely<Database>, name: string, text: string): Promise<boolean> => {
  const earlier = await db.selectFrom('migration').select('sha256').where('name', '=', name).executeTakeFirst();
  if (earlier === undefined) return false;
  if (earlier.sha256 === hashOf(text)) return true;
  throw new Error(`migration ${name} differs from the one this database ran; start with an empty database`);
};

const writeDown = async (db: Kysely<Database>, name: string, text: string): Promise<void> => {
  await db
    .insertInto('migration')
    .values({ name, sha256: hashOf(text) })
    .execute();
};

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Creates the migration table. `if not exists` alone is not enough: when two sessions create it at once, one fails on a
 * conflict in the catalogue.
 */
const createMigrationTable = async (db: Kysely<Database>): Promise<void> => {
  const create = sql`create table if not exists migration (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`;
  try {
    await create.execute(db);
  } catch (error) {
    const alreadyThere = ['23505', '42710', '42P07'].includes((error as { code?: string }).code ?? '');
    if (!alreadyThere) throw error;
    await create.execute(db);
  }
};
