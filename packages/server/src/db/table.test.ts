import { testDatabase } from '@mintage/devnet/testDatabase';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { chainTables } from './chainTables.ts';
import { signerTables } from './signerTables.ts';
import { type Table, tablesOfAChain } from './table.ts';

/** What the database says of its columns and primary keys, in the form of our declarations. */
const catalogue = sql<{ name: string; columns: Record<string, string>; key: string[] }>`
  select t.relname as name,
    (select jsonb_object_agg(a.attname, y.typname) from pg_attribute a join pg_type y on y.oid = a.atttypid
      where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select jsonb_agg(a.attname order by k.place) from pg_index i
      cross join unnest(i.indkey) with ordinality k (number, place)
      join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number
      where i.indrelid = t.oid and i.indisprimary and k.place <= i.indnkeyatts) as key
  from pg_class t where t.relkind in ('r', 'p') and t.relnamespace = current_schema()::regnamespace`;

test('every declared table has the columns, types and key that the migrations made', async () => {
  const database = await testDatabase();
  try {
    const { rows } = await catalogue.execute(database.db);
    const made = new Map(rows.map(({ name, ...rest }) => [name, rest]));
    for (const [name, { columns, key }] of Object.entries<Table>({ ...chainTables, ...signerTables })) {
      const types = Object.fromEntries(Object.entries(columns).map(([column, { type }]) => [column, type]));
      expect({ name, columns: types, key }).toEqual({ name, ...made.get(name) });
    }
  } finally {
    await database.stop();
  }
});

test('tablesOfAChain: what refers to other rows comes before them', () => {
  expect(tablesOfAChain(signerTables)).toEqual(['lane', 'keeper_task', 'attempt', 'intent_step', 'intent']);
  expect(tablesOfAChain(chainTables).at(-1)).toBe('chain');
});
