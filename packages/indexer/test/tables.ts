import { type Kysely, sql } from 'kysely';
import type { Database } from '../src/db/db.ts';

const derived = [
  'token',
  'trade',
  'transfer',
  'balance',
  'fee_credit',
  'fee_balance',
  'withdrawal',
  'referrer',
] as const;

/** Everything that the chain's events decide, row by row, as one comparable value. */
export const contentOf = async (db: Kysely<Database>): Promise<Record<string, string[]>> => {
  const content: Record<string, string[]> = {};
  for (const name of derived) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by 1`.execute(db);
    content[name] = rows.map(({ row }) => row);
  }
  const { rows } = await sql<{ row: string }>`
    select row(chain_id, indexed, indexed_hash, indexed_time, treasury)::text as row from chain order by 1`.execute(db);
  content.chain = rows.map(({ row }) => row);
  return content;
};

/** As before the first block; slugs stay, because they belong to no block. */
export const empty = async (db: Kysely<Database>): Promise<void> => {
  for (const name of [...derived, 'block', 'journal', 'chain'] as const) {
    await sql`delete from ${sql.table(name)}`.execute(db);
  }
};
