import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addToken, ask, callerWith, hex, startReads, tokenRow, windowRow } from '../../test/api/reads/readsFixture.ts';
import { openDatabase, placeOf } from './openDatabase.ts';
import { prepared } from './prepared.ts';
import type { Db } from './serviceTables.ts';

const fox = tokenRow('base-sepolia', hex(0xf0));
const wallet = hex(0xa1);

let reads: Awaited<ReturnType<typeof startReads>>;
/** One connection of its own, so that every read runs on the one that kept its statements. */
let db: Db;
beforeAll(async () => {
  reads = await startReads();
  await addToken(reads.db, fox, 'red-fox');
  const day = new Date('2026-01-02T00:00:00Z');
  const { eid, address: token } = fox;
  await reads.db
    .insertInto('balance')
    .values({ eid, token, wallet, amount: 7n, first_acquired: day, updated_at: day })
    .execute();
  await reads.db
    .insertInto('token_window')
    .values(windowRow(fox, { volume_usd18_24h: 5n }))
    .execute();
  await reads.db
    .insertInto('earner')
    .values({ network: 'testnet', account: wallet, earned_usd18: 9n, earned_7d_usd18: 9n })
    .execute();
});
afterAll(() => reads?.stop());
beforeEach(() => {
  db = openDatabase(placeOf(reads.db).connectionString as string, { maxConnections: 1 }).withTables();
  return () => db.destroy();
});

const kept = async (): Promise<string[]> => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements order by 1`.execute(
    db,
  );
  return rows.map(({ statement }) => statement);
};

test('a statement is kept once for all its values, and others are not', async () => {
  const number = (value: number) => prepared(db, sql<{ value: number }>`select ${value}::int4 as value`);
  expect([await number(1), await number(2)]).toEqual([[{ value: 1 }], [{ value: 2 }]]);
  await sql`select ${3}::int4`.execute(db);
  expect(await kept()).toEqual(['/* prepared */ select $1::int4 as value']);
});

test('reads go on after a column was added to each of their tables', async () => {
  const context = { ...reads.context, db };
  const all = async () => [
    await ask(context, 'getTokensV2', { order_by: 'volume_24h' }, null),
    await ask(context, 'getTokenStats', { token_id: fox.address }, null),
    await ask(context, 'getTokenCandles', { token_id: 'red-fox', candle_interval: '1h' }, null),
    await ask(context, 'getUserPortfolio', {}, callerWith(wallet)),
    await ask(context, 'getLeaderboard', { network_mode: 'testnet' }, null),
  ];
  const before = await all();
  const statements = await kept();
  expect(statements.length).toBeGreaterThan(8);
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
      and relnamespace = current_schema()::regnamespace`.execute(reads.db);
  for (const { name } of rows) await sql`alter table ${sql.table(name)} add column added integer`.execute(reads.db);
  expect(await all()).toEqual(before);
  expect(await kept()).toEqual(statements);
});
