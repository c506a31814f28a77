import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addToken,
  ask,
  graduationOf,
  hex,
  startReads,
  tokenRow,
  tradeRow,
  transferRow,
} from '../../../test/api/reads/readsFixture.ts';

const pool = hex(0x99, 32);
/** Graduated in the log right after the trade that completed the curve. */
const fox = tokenRow('base-sepolia', hex(0xf0), {
  last_trade_at: new Date('2026-01-01T00:00:30Z'),
  graduated_at: new Date('2026-01-01T00:00:20Z'),
  graduation: graduationOf(20, 4),
  pool_id: pool,
  sqrt_price_x96: 1n << 96n,
});
const owl = tokenRow('bnb', hex(0xf1), { name: 'Owl', last_trade_at: new Date('2026-01-01T00:00:12Z') });
const quiet = tokenRow('bnb', hex(0xf2), { name: 'Quiet' });

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  for (const [token, slug] of [
    [fox, 'red-fox'],
    [owl, 'owl'],
    [quiet, 'quiet'],
  ] as const)
    await addToken(reads.db, token, slug);
  await reads.db
    .insertInto('trade')
    .values([
      tradeRow(fox, 10, 2),
      tradeRow(fox, 10, 11, { side: 'sell' }),
      tradeRow(fox, 20, 3),
      tradeRow(fox, 30, 0, { side: 'sell', venue: 'pool' }),
      tradeRow(owl, 12, 0),
    ])
    .execute();
  await reads.db
    .insertInto('transfer')
    .values([
      transferRow(fox, 10, 1, { is_leg: true }),
      transferRow(fox, 10, 5),
      transferRow(fox, 40, 0),
      // Of an index of before, which kept what a stranger wrote in another's name.
      transferRow(fox, 45, 0, { amount: 0n }),
      transferRow(owl, 12, 1, { is_leg: true }),
    ])
    .execute();
});
afterAll(() => reads?.stop());

const trades = (body: object) => ask(reads.context, 'getTokenTrades', { token_id: fox.token_id, ...body }, null);
const transfers = (body: object) => ask(reads.context, 'getTokenTransfers', { token_id: fox.token_id, ...body }, null);
const activity = (body: object) => ask(reads.context, 'getTokenActivity', { token_id: fox.token_id, ...body }, null);
const places = (records: { evt_block_number: number; evt_index: number }[]) =>
  records.map(({ evt_block_number, evt_index }) => `${evt_block_number}.${evt_index}`);

describe('getTokenTrades', () => {
  test('default: newest first, by block and then by log', async () => {
    expect(places((await trades({})).activities)).toEqual(['30.0', '20.3', '10.11', '10.2']);
    expect(places((await trades({ limit: 2, offset: 1 })).activities)).toEqual(['20.3', '10.11']);
    expect(places((await trades({ limit: null, offset: 4 })).activities)).toEqual([]);
  });

  test('behavior: a record on the pool: text in whole units, digits in base units', async () => {
    expect((await trades({ limit: 1 })).activities[0]).toEqual({
      chain: 'base-sepolia',
      evt_tx_hash: hex(30_000, 32),
      token_address: fox.address,
      acme_pad_id: fox.platform_id,
      platform_id: fox.platform_id,
      evt_block_number: 30,
      evt_index: 0,
      evt_block_time: '2026-01-01T00:00:30.000Z',
      venue: 'uniswap_v4',
      trade_type: 'sell',
      wallet: hex(0x77),
      router: null,
      pool,
      token_amount: '2.5',
      token_amount_raw: '2500000000000000000',
      usd_amount: '1.5',
      usd_amount_raw: '1500000',
      price_usd: '0.0000125',
      price_usd_raw: '12500000000000',
      market_cap_usd: '12500',
      market_cap_usd_raw: '12500000000000000000000',
      token_decimals: '18',
      quote_decimals: '6',
      token_decimals_source: 'launchpad',
      quote_decimals_source: 'deployment',
    });
  });

  test('behavior: a trade on the curve has no pool, also of a token that has one now', async () => {
    expect((await trades({})).activities.map((trade) => [trade.venue, trade.pool])).toEqual([
      ['uniswap_v4', pool],
      ...Array.from({ length: 3 }, () => ['launchpad', null]),
    ]);
  });

  test('behavior: a dollar of 18 decimals is one', async () => {
    const { activities } = await trades({ token_id: 'owl' });
    expect(activities).toMatchObject([
      {
        chain: 'bnb',
        venue: 'launchpad',
        trade_type: 'buy',
        pool: null,
        usd_amount: '1.5',
        usd_amount_raw: '1500000000000000000',
        quote_decimals: '18',
        price_usd_raw: '12500000000000',
      },
    ]);
  });

  test.each(['red-fox', fox.address, fox.platform_id])('behavior: a token by any reference: %s', async (token_id) => {
    expect((await trades({ token_id })).activities).toHaveLength(4);
  });
});

describe('getTokenTransfers', () => {
  test('default: only those between wallets', async () => {
    const { activities } = await transfers({});
    expect(places(activities)).toEqual(['40.0', '10.5']);
    expect(activities[0]).toEqual({
      chain: 'base-sepolia',
      evt_tx_hash: hex(40_000, 32),
      token_address: fox.address,
      acme_pad_id: fox.platform_id,
      platform_id: fox.platform_id,
      evt_block_number: 40,
      evt_index: 0,
      evt_block_time: '2026-01-01T00:00:40.000Z',
      transfer_type: 'local',
      amount: '0.5',
      amount_raw: '500000000000000000',
      from_address: hex(0x77),
      to_address: hex(0x79),
      amount_received_ld: null,
      amount_received_ld_raw: null,
      guid: null,
      src_eid: null,
      dst_eid: null,
    });
    expect(places((await transfers({ limit: 1, offset: 1 })).activities)).toEqual(['10.5']);
    expect((await transfers({ token_id: 'owl' })).activities).toEqual([]);
  });
});

const kindsAt = async (body: object) =>
  (await activity(body)).activities.map(
    (record) => `${record.evt_block_number}.${record.evt_index} ${record.activity_type}:${record.activity_subtype}`,
  );

describe('getTokenActivity', () => {
  const everything = [
    '40.0 transfer:local',
    '30.0 trade:sell',
    '20.4 lifecycle:graduation',
    '20.4 lp:deposit',
    '20.3 trade:buy',
    '10.11 trade:sell',
    '10.5 transfer:local',
    '10.2 trade:buy',
  ];

  test('default: trades, transfers, deposit and graduation in one list, newest first', async () => {
    expect(await kindsAt({})).toEqual(everything);
    for (const [limit, offset] of [
      [1, 0],
      [3, 2],
      [2, 3],
      [100, 7],
      [1, 6],
      [5, 8],
    ] as const)
      expect(await kindsAt({ limit, offset })).toEqual(everything.slice(offset, offset + limit));
  });

  test('behavior: every key in every row, a key of its own per row, the same at every call', async () => {
    const { activities } = await activity({});
    const keys = Object.keys(activities[0] as object).toSorted();
    for (const record of activities) expect(Object.keys(record).toSorted()).toEqual(keys);
    expect(keys).toContain('acme_pad_id');
    expect(new Set(activities.map(({ pk }) => pk)).size).toBe(everything.length);
    expect(activities[3]).toMatchObject({
      pk: `base-sepolia:${hex(20_004, 32)}:4:lp`,
      acme_pad_id: fox.platform_id,
      pool,
      liquidity_amount: '99',
    });
    expect((await activity({ offset: 3, limit: 1 })).activities).toEqual([activities[3]]);
  });

  test.each([
    [{ include_activity_types: ['trade'] }, ['30.0', '20.3', '10.11', '10.2']],
    [{ include_activity_types: ['lp', 'lifecycle'] }, ['20.4', '20.4']],
    [{ ignore_activity_types: ['trade', 'lp'] }, ['40.0', '20.4', '10.5']],
    [{ include_activity_subtypes: ['sell'] }, ['30.0', '10.11']],
    [{ include_activity_subtypes: ['buy', 'local'] }, ['40.0', '20.3', '10.5', '10.2']],
    [{ ignore_activity_subtypes: ['sell', 'local', 'graduation'] }, ['20.4', '20.3', '10.2']],
    [{ include_activity_types: ['trade'], ignore_activity_subtypes: ['buy'] }, ['30.0', '10.11']],
    [{ include_activity_types: ['trade'], include_activity_subtypes: ['deposit'] }, []],
    [{ include_activity_types: ['trade'], ignore_activity_types: ['trade'] }, []],
    [{ include_activity_subtypes: ['cross_chain_sent', 'withdrawal'] }, []],
    [{ include_activity_types: [], ignore_activity_types: null, limit: 2 }, ['40.0', '30.0']],
  ])('behavior: %j', async (body, expected) => {
    expect(places((await activity(body)).activities)).toEqual(expected);
  });

  test('behavior: nothing happened', async () => {
    expect(await activity({ token_id: 'quiet' })).toEqual({ success: true, activities: [] });
    expect(await kindsAt({ token_id: 'owl' })).toEqual(['12.0 trade:buy']);
  });

  test.each([
    [{ include_activity_types: ['buy'] }, 'include_activity_types.0'],
    [{ ignore_activity_subtypes: ['trade'] }, 'ignore_activity_subtypes.0'],
    [{ limit: 101 }, 'limit'],
    [{ offset: 10_001 }, 'offset'],
  ])('error: R7 %j', async (body, path) => {
    await expect(activity(body)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS', details: [{ path }] });
  });
});

describe.each([
  ['getTokenTrades', trades],
  ['getTokenTransfers', transfers],
  ['getTokenActivity', activity],
] as const)('%s', (_name, read) => {
  test.each([['nobody'], [hex(1)], [hex(1, 32)]])('error: unknown token %s', async (token_id) => {
    await expect(read({ token_id })).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
  });
  test.each([[{ token_id: null }], [{ token_id: '' }], [{ token_id: 7 }]])('error: %j', async (body) => {
    await expect(read(body)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS', details: [{ path: 'token_id' }] });
  });
});
