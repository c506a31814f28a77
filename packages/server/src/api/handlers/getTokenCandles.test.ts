import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addToken, ask, hex, startReads, tokenRow } from '../../../test/api/reads/readsFixture.ts';
import type { NewRow } from '../../db/chainTables.ts';

/** Created at 00:02:10; trades in the minutes 00:04 and 00:07; the chain is at 00:09:30. */
const fox = tokenRow('base-sepolia', hex(0xf0), { created_at: new Date('2026-01-01T00:02:10Z') });
const quiet = tokenRow('base-sepolia', hex(0xf1), { name: 'Quiet', created_at: new Date('2026-01-01T00:09:30Z') });
const owl = tokenRow('bnb', hex(0xf2), { name: 'Owl', created_at: new Date('2026-01-01T00:00:00Z') });
const cents = (n: number): bigint => BigInt(n) * 10n ** 16n;

const candle = (
  token: NewRow<'token'>,
  seconds: number,
  time: string,
  [open, high, low, close]: [number, number, number, number],
): NewRow<'candle'> => ({
  eid: token.eid,
  token: token.address,
  seconds,
  bucket: new Date(`2026-01-01T${time}Z`),
  open_usd18: cents(open),
  high_usd18: cents(high),
  low_usd18: cents(low),
  close_usd18: cents(close),
  volume_tokens: 25n * 10n ** 17n,
  volume_usd18: 15n * 10n ** 17n,
  trades: 3,
});

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  await addToken(reads.db, fox, 'red-fox');
  await addToken(reads.db, quiet, 'quiet');
  await addToken(reads.db, owl, 'owl');
  const now = { indexed: 570, indexed_time: new Date('2026-01-01T00:09:30Z') };
  await reads.db.updateTable('chain').set(now).where('eid', '=', fox.eid).execute();
  await reads.db
    .insertInto('candle')
    .values([
      candle(fox, 60, '00:04:00', [1, 5, 1, 4]),
      candle(fox, 60, '00:07:00', [4, 4, 2, 3]),
      candle(fox, 300, '00:00:00', [1, 5, 1, 4]),
      candle(fox, 300, '00:05:00', [4, 4, 2, 3]),
      candle(owl, 86_400, '00:00:00', [1, 2, 1, 2]),
    ])
    .execute();
});
afterAll(() => reads?.stop());

const read = (body: object) =>
  ask(reads.context, 'getTokenCandles', { token_id: 'red-fox', candle_interval: '1m', ...body }, null);
/** `minute open/close xtrades`. */
const series = async (body: object): Promise<string[]> =>
  (await read(body)).candles.map(
    (one) => `${one.bucket_start.slice(14, 16)} ${one.open_price_usd}/${one.close_price_usd} x${one.trade_count}`,
  );

const start = '0.00001';
const all = [
  `02 ${start}/${start} x0`,
  `03 ${start}/${start} x0`,
  '04 0.01/0.04 x3',
  '05 0.04/0.04 x0',
  '06 0.04/0.04 x0',
  '07 0.04/0.03 x3',
  '08 0.03/0.03 x0',
  '09 0.03/0.03 x0',
];

describe('getTokenCandles', () => {
  test('default: without gaps from the creation to the newest block, oldest first', async () => {
    expect(await series({})).toEqual(all);
  });

  test('behavior: a record: text in whole units, digits in base units', async () => {
    expect((await read({ offset: 2, limit: 1 })).candles).toEqual([
      {
        chain: 'base-sepolia',
        acme_pad_id: fox.platform_id,
        platform_id: fox.platform_id,
        token_address: fox.address,
        venue: 'all',
        candle_interval: '1m',
        bucket_start: '2026-01-01T00:04:00.000Z',
        bucket_end: '2026-01-01T00:05:00.000Z',
        open_price_usd: '0.01',
        open_price_usd_raw: '10000000000000000',
        high_price_usd: '0.05',
        high_price_usd_raw: '50000000000000000',
        low_price_usd: '0.01',
        low_price_usd_raw: '10000000000000000',
        close_price_usd: '0.04',
        close_price_usd_raw: '40000000000000000',
        volume_token: '2.5',
        volume_token_raw: '2500000000000000000',
        volume_usd: '1.5',
        volume_usd_raw: '1500000',
        trade_count: '3',
        trade_count_raw: '3',
      },
    ]);
  });

  test('behavior: a quiet interval repeats the close with no volume', async () => {
    expect((await read({ offset: 3, limit: 1 })).candles[0]).toMatchObject({
      open_price_usd: '0.04',
      high_price_usd: '0.04',
      low_price_usd: '0.04',
      close_price_usd_raw: '40000000000000000',
      volume_token: '0',
      volume_usd_raw: '0',
      trade_count: '0',
    });
  });

  test('behavior: pages of any size, in both directions, add up to the whole', async () => {
    for (const limit of [1, 3, 5]) {
      for (const ascending of [true, false]) {
        const pages: string[] = [];
        for (let offset = 0; offset < all.length; offset += limit)
          pages.push(...(await series({ ascending, limit, offset })));
        expect(pages).toEqual(ascending ? all : all.toReversed());
      }
    }
    expect(await series({ offset: 8 })).toEqual([]);
    expect(await series({ offset: 10_000_000 })).toEqual([]);
  });

  test.each([
    [{ from_timestamp: '2026-01-01T00:06:00Z' }, all.slice(4)],
    [{ from_timestamp: '2026-01-01T00:06:59.5Z', to_timestamp: '2026-01-01T00:08:00Z' }, all.slice(4, 6)],
    [{ to_timestamp: '2026-01-01T00:03:00Z' }, all.slice(0, 1)],
    [{ to_timestamp: '2026-01-01T01:03:00.001+01:00' }, all.slice(0, 2)],
    [{ from_timestamp: '2026-01-01T00:05:10Z', to_timestamp: '2026-01-01T00:05:20Z' }, all.slice(3, 4)],
    [{ from_timestamp: '2026-01-01T00:06:00Z', to_timestamp: '2026-01-01T00:06:00Z' }, []],
    [{ from_timestamp: '2025-01-01T00:00:00Z', to_timestamp: '2099-01-01T00:00:00Z' }, all],
    [{ from_timestamp: '2026-01-01T00:10:00Z' }, []],
    [{ to_timestamp: '2026-01-01T00:02:00Z' }, []],
    [{ from_timestamp: '2026-01-01T00:05:00Z', ascending: false, limit: 2 }, [all[7], all[6]]],
    [{ venue: 'all', limit: 1, from_timestamp: null, to_timestamp: null, offset: null, ascending: null }, [all[0]]],
    [{ venue: 'uniswap_v4' }, []],
  ])('behavior: %j', async (body, expected) => {
    expect(await series(body)).toEqual(expected);
  });

  test.each([
    ['5m', ['2026-01-01T00:00:00.000Z', '2026-01-01T00:05:00.000Z']],
    ['15m', ['2026-01-01T00:00:00.000Z']],
    ['4h', ['2026-01-01T00:00:00.000Z']],
    [undefined, ['2026-01-01T00:00:00.000Z']],
  ])('behavior: buckets of %s are aligned in UTC', async (candle_interval, starts) => {
    const { candles } = await ask(reads.context, 'getTokenCandles', { token_id: fox.token_id, candle_interval }, null);
    expect(candles.map((one) => one.bucket_start)).toEqual(starts);
    expect(candles[0]?.candle_interval).toBe(candle_interval ?? '1h');
  });

  test('behavior: a token in its first minute, without trades', async () => {
    expect(await series({ token_id: 'quiet' })).toEqual([`09 ${start}/${start} x0`]);
  });

  test('behavior: a dollar of 18 decimals; a chain without a time yet ends with the token’s own', async () => {
    const { candles } = await read({ token_id: 'owl', candle_interval: '1d' });
    expect(candles).toMatchObject([
      { volume_usd: '1.5', volume_usd_raw: '1500000000000000000', close_price_usd: '0.02' },
    ]);
  });

  test.each([
    [{ candle_interval: '2m' }, 'candle_interval'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 5001 }, 'limit'],
    [{ offset: -1 }, 'offset'],
    [{ from_timestamp: 'yesterday' }, 'from_timestamp'],
    [{ to_timestamp: 1_700_000_000 }, 'to_timestamp'],
    [{ from_timestamp: '2026-01-02T00:00:00Z', to_timestamp: '2026-01-01T00:00:00Z' }, 'from_timestamp'],
    [{ venue: '' }, 'venue'],
    [{ ascending: 'yes' }, 'ascending'],
    [{ token_id: null }, 'token_id'],
  ])('error: R7 bounds and kinds are checked: %j', async (body, path) => {
    await expect(read(body)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS', details: [{ path }] });
  });

  test('error: unknown token', async () => {
    await expect(read({ token_id: 'nobody' })).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
  });
});
