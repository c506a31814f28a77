import { emptyDatabase, testDatabase } from '@mintage/devnet/testDatabase';
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../src/db/chainTables.ts';
import { migrate } from '../../src/db/migrate.ts';
import { loadRelease, releases } from './release.ts';

/** Tables whose rows a migration makes others of; its own test says which. */
const madeAnew: Readonly<Record<string, string>> = {
  token_window: '0013_windows_in_one_row.sql',
  budget_day: '0033_no_budget_days.sql',
};

interface Column {
  table_name: string;
  column_name: string;
  data_type: string;
}

/** How many rows each table has, how often each column holds something, and what all its numbers add up to. */
const sumsOf = async (db: Kysely<Database>): Promise<Map<string, string>> => {
  const { rows: columns } = await sql<Column>`select table_name, column_name, data_type
    from information_schema.columns join pg_class on relname = table_name and not relispartition
    where table_schema = 'public' and table_name <> 'migration' order by 1, 2`.execute(db);
  const sums = new Map<string, string>();
  for (const { table_name, column_name, data_type } of columns) {
    const value = sql.ref(column_name);
    const sum = ['numeric', 'bigint', 'integer'].includes(data_type) ? sql`sum(${value})` : sql`null`;
    const { rows } = await sql<{ text: string }>`select concat_ws(' ', count(*), count(${value}), ${sum}) as text
      from ${sql.table(table_name)}`.execute(db);
    sums.set(`${table_name}.${column_name}`, rows[0]?.text ?? '');
  }
  return sums;
};

/** All that is made of SQL, in words; parts of tables by month are there as rows need them. */
const schemaOf = async (db: Kysely<Database>): Promise<string[]> => {
  const { rows } = await sql<{ text: string }>`
    with own as (select * from pg_class where relnamespace = 'public'::regnamespace and not relispartition)
    select concat_ws(' ', own.relkind, own.relname, attname, format_type(atttypid, atttypmod), attnotnull, attgenerated,
      attidentity, pg_get_expr(adbin, adrelid)) as text
      from own join pg_attribute on attrelid = own.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all select concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid) from pg_index join own on own.oid = indrelid
    union all select concat_ws(' ', relname, conname, pg_get_constraintdef(pg_constraint.oid), convalidated)
      from pg_constraint join own on own.oid = conrelid where contype <> 'n'
    union all select pg_get_partkeydef(oid) from own where relkind = 'p'
    union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
    union all select pg_get_triggerdef(pg_trigger.oid) from pg_trigger join own on own.oid = tgrelid where not tgisinternal
    order by 1`.execute(db);
  return rows.map(({ text }) => text);
};

test.each(releases)('the database of %s is brought up to date with every row and every sum', async (release) => {
  const { db, stop } = await emptyDatabase();
  const fresh = await testDatabase();
  try {
    await loadRelease(db, release);
    const before = await sumsOf(db);
    const ran = await migrate(db);
    const after = await sumsOf(db);
    const different = [...before].filter(([column, sums]) => {
      const [table = ''] = column.split('.');
      return after.get(column) !== sums && !ran.includes(madeAnew[table] ?? '');
    });
    expect(different).toEqual([]);
    expect(before.get('trade.token')).toMatch(/^[1-9]/);
    expect(await schemaOf(db)).toEqual(await schemaOf(fresh.db));
    expect(await migrate(db)).toEqual([]);
  } finally {
    await stop();
    await fresh.stop();
  }
});
