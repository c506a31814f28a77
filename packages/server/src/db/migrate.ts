import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Database } from './chainTables.ts';

/** The chain tables: `migrate(db, chainMigrations)`. */
export const chainMigrations = new URL('./migrations/chain/', import.meta.url);

/**
 * Runs the folder's `.sql` files that have not run yet, in the order of their names, each in its own transaction.
 * Several packages may use it on one database (file names differ), and several processes at once (they queue).
 *
 * @param folder - URL of a folder, with a slash at the end.
 * @returns Names of the files that this call ran.
 * @throws When a file that ran earlier has another text now: a migration is never edited, a further one is added.
 */
export const migrate = async (db: Kysely<Database>, folder: URL): Promise<string[]> => {
  await createMigrationTable(db);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const ran: string[] = [];
  for (const name of names) {
    const text = await readFile(new URL(name, folder), 'utf8');
    if (await runOnce(db, name, text)) ran.push(name);
  }
  return ran;
};

const runOnce = (db: Kysely<Database>, name: string, text: string): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await sql`lock table migration in exclusive mode`.execute(tx);
    const sha256 = createHash('sha256').update(text).digest('hex');
    const earlier = await tx.selectFrom('migration').select('sha256').where('name', '=', name).executeTakeFirst();
    if (earlier !== undefined) {
      if (earlier.sha256 === sha256) return false;
      throw new Error(`migration ${name} differs from the one this database ran; start with an empty database`);
    }
    await sql.raw(text).execute(tx);
    await tx.insertInto('migration').values({ name, sha256 }).execute();
    return true;
  });

/** `if not exists` alone is not enough: two sessions that create at once meet in the catalogue, and one of them fails. */
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
