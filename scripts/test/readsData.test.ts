import { testDatabase } from '@mintage/devnet/testDatabase';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { fillReadsData } from '../../bench/readsData.ts';

it('default: the data of the read benchmark fits the tables as they are', async () => {
  const database = await testDatabase();
  try {
    await fillReadsData(database.url, { events: 2_000, tokens: 20, wallets: 100 });
    const { rows } = await sql<Record<string, number>>`select
      (select count(*)::int from trade) as trades, (select count(*)::int from balance) as balances,
      (select count(*)::int from candle) as candles, (select count(*)::int from fee_credit) as credits`.execute(
      database.db,
    );
    for (const count of Object.values(rows[0] ?? {})) expect(count).toBeGreaterThan(100);
  } finally {
    await database.stop();
  }
});
