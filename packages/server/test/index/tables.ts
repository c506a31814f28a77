import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/db/chainTables.ts';
import { monthlyTables } from '../../src/db/months.ts';

/** How the tables came to be, not what the chain says; and what the streams tell, which remembers undone blocks. */
const notDerived = [
  'chain',
  'block',
  'journal',
  'migration',
  'token_slug',
  'stream_topic',
  'stream_event',
  'token_before',
  'fee_before',
];

const tables = async (db: Kysely<Database>): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`.execute(
    db,
  );
  return rows.map(({ name }) => name);
};

/**
 * Everything that the chain's events decide, row by row, as one comparable value.
 *
 * @param from - Leaves out what is kept by month and older.
 */
export const contentOf = async (db: Kysely<Database>, from?: Date): Promise<Record<string, string[]>> => {
  const content: Record<string, string[]> = {};
  for (const name of await tables(db)) {
    if (notDerived.includes(name)) continue;
    const isKept = from !== undefined && isMonthly(name) ? sql`time >= ${from}` : sql`true`;
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(name)} t where ${isKept} order by 1`.execute(db);
    content[name] = rows.map(({ row }) => row);
  }
  const { rows } = await sql<{ row: string }>`
    select row(eid, indexed, indexed_hash, indexed_time, treasury)::text as row from chain order by 1`.execute(db);
  content.chain = rows.map(({ row }) => row);
  return content;
};

const isMonthly = (name: string): boolean => (monthlyTables as readonly string[]).includes(name);

/** As before the first block; slugs stay, because they belong to no block. */
export const empty = async (db: Kysely<Database>): Promise<void> => {
  for (const name of await tables(db)) {
    if (!['migration', 'token_slug', 'stream_topic'].includes(name))
      await sql`delete from ${sql.table(name)}`.execute(db);
  }
};
