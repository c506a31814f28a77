import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { databaseBefore } from './databaseBefore.ts';

const name = '0013_windows_in_one_row.sql';

test('all/0013_windows_in_one_row: the windows of before are columns, each token with its own', async () => {
  const { db, migrateOne, stop } = await databaseBefore(name);
  try {
    for (const [token, times] of [
      ['0x1', 1],
      ['0x2', 2],
    ] as const) {
      for (const [place, seconds] of [60, 300, 3_600, 21_600, 86_400].entries()) {
        await sql`insert into token_window (eid, token, seconds, volume_usd18, before_usd18, trades, price_then_usd18,
            holders_then, progress_then_pct18, price_change_usd18)
          values (1, ${token}, ${seconds}, ${10 * times + place}, ${100 * times + place}, 9, ${1_000 * times + place},
            ${10_000 * times + place}, ${100_000 * times + place}, ${-times})`.execute(db);
      }
    }
    expect(await migrateOne()).toEqual([name]);
    const { rows } = await sql`select * from token_window order by token`.execute(db);
    const expected = (token: string, times: bigint) => ({
      eid: 1,
      token,
      volume_usd18_1m: 10n * times,
      ...Object.fromEntries(
        ['5m', '1h', '6h', '24h'].flatMap((window, i) => {
          const place = BigInt(i + 1);
          return [
            [`volume_usd18_${window}`, 10n * times + place],
            [`before_usd18_${window}`, 100n * times + place],
            [`price_then_usd18_${window}`, 1_000n * times + place],
            [`holders_then_${window}`, Number(10_000n * times + place)],
            [`progress_then_pct18_${window}`, 100_000n * times + place],
          ];
        }),
      ),
      price_change_usd18_24h: -times,
    });
    expect(rows).toEqual([expected('0x1', 1n), expected('0x2', 2n)]);
  } finally {
    await stop();
  }
});
