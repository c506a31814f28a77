import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hex, startReads } from '../../../test/api/reads/readsFixture.ts';
import { servedChains } from '../tokens/servedChains.ts';
import { placedQuery } from './holdings.ts';

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  await sql`insert into balance (eid, token, wallet, amount, first_acquired, updated_at)
    select eid, '0x' || lpad(to_hex(t), 40, '0'), '0x' || lpad(to_hex(160 + w), 40, '0'), t, now(), now()
    from chain, generate_series(1, 50) t, generate_series(1, 20) w`.execute(reads.db);
  await sql`vacuum analyze balance`.execute(reads.db);
});
afterAll(() => reads?.stop());

test.each([[[hex(0xa1)]], [[hex(0xa1), hex(0xa2)]]])(
  'the value of %j is read from the index of wallets alone',
  async (wallets) => {
    const filter = { chains: servedChains(reads.context), wallets, token: null, closedToo: false };
    const plan = await reads.db.connection().execute(async (db) => {
      await sql`set enable_seqscan = off`.execute(db);
      await sql`set enable_bitmapscan = off`.execute(db);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${placedQuery(filter, 50, 0)}`.execute(db);
      return rows.map((row) => row['QUERY PLAN']);
    });
    const scans = plan.filter((line) => / on balance /.test(line));
    expect(scans).toHaveLength(wallets.length === 1 ? 2 : 1);
    for (const scan of scans) expect(scan).toContain('Index Only Scan using balance_by_wallet on balance');
  },
);
