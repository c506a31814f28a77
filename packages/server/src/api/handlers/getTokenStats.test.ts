import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addDraft,
  addToken,
  ask,
  hex,
  startReads,
  tokenRow,
  tradeRow,
  windowRow,
} from '../../../test/api/reads/readsFixture.ts';

const usd18 = (dollars: number): bigint => BigInt(dollars) * 10n ** 18n;

/** Four fifths of the curve are sold. */
const fox = tokenRow('base-sepolia', hex(0xf0), {
  trades: 5,
  holders: 3,
  price_usd18: 2n * 10n ** 13n,
  progress_pct18: 80n * 10n ** 18n,
  stage: 'graduating',
  virtual_tokens: 525_000_000n * 10n ** 18n,
  virtual_usd: 26_785_714_286n,
  volume_tokens: 1_234n * 10n ** 15n,
  volume_usd: 1_500_001n,
  volume_usd18: 1_500_001n * 10n ** 12n,
  last_trade_at: new Date('2026-01-01T00:00:30Z'),
});
const owl = tokenRow('bnb', hex(0xf1), { name: 'Owl', graduated_at: new Date('2026-01-02T00:00:00Z') });

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  await addToken(reads.db, fox, 'red-fox');
  await addDraft(reads.db, fox, 'red-fox', { builder: hex(0xbb) });
  await addToken(reads.db, owl, 'owl');
  await reads.db
    .insertInto('trade')
    .values([tradeRow(fox, 10, 0, { venue: 'pool' }), tradeRow(fox, 30, 1)])
    .execute();
  const now = { indexed: 77, rolled_block: 77, indexed_time: new Date('2026-01-01T00:01:17Z') };
  await reads.db.updateTable('chain').set(now).where('eid', '=', fox.eid).execute();
  await reads.db
    .insertInto('token_window')
    .values(
      windowRow(fox, {
        volume_usd18_5m: usd18(30),
        before_usd18_5m: usd18(40),
        price_then_usd18_5m: 16n * 10n ** 12n,
        holders_then_5m: 4,
        progress_then_pct18_5m: usd18(60),
        price_then_usd18_1h: 3n * 10n ** 13n,
      }),
    )
    .execute();
});
afterAll(() => reads?.stop());

const statsOf = async (token_id: string) => {
  const { stats } = await ask(reads.context, 'getTokenStats', { token_id }, null);
  expect(stats).toHaveLength(1);
  return stats[0] as NonNullable<(typeof stats)[0]>;
};

describe('getTokenStats', () => {
  test('default: now, totals, windows and curve', async () => {
    const stats = await statsOf('red-fox');
    expect(Object.keys(stats)).toHaveLength(23 + 4 * 11);
    expect(stats).toMatchObject({
      chain: 'base-sepolia',
      acme_pad_id: fox.platform_id,
      platform_id: fox.platform_id,
      token_address: fox.address,
      price_usd: '0.00002',
      market_cap_usd: '20000',
      holder_count: '3',
      last_trade_at: '2026-01-01T00:00:30.000Z',
      last_trade_venue: 'launchpad',
      evt_block_number: 77,
      updated_at: '2026-01-01T00:01:17.000Z',
      total_volume_token: '1.234',
      total_volume_token_raw: '1234000000000000000',
      total_volume_usd: '1.500001',
      total_volume_usd_raw: '1500001',
      price_change_5m_pct: '25',
      price_change_5m_abs: '0.000004',
      market_cap_change_5m_pct: '25',
      market_cap_change_5m_abs: '4000',
      volume_usd_5m: '30',
      volume_change_5m_abs: '-10',
      volume_change_5m_pct: '-25',
      holder_count_change_5m_abs: '-1',
      holder_count_change_5m_pct: '-25',
      launchpad_progress_change_5m_abs: '20',
      launchpad_progress_change_5m_pct: '33.333333333333333333',
      launchpad_price_usd: '0.000051020408163809',
      launchpad_supply: '600000000',
      launchpad_supply_raw: '600000000000000000000000000',
      launchpad_tokens_left: '150000000',
      launchpad_tokens_left_raw: '150000000000000000000000000',
      launchpad_liquidity_usd: '14285.714286',
      launchpad_liquidity_usd_raw: '14285714286',
      launchpad_progress_pct: '80',
    });
  });

  test('behavior: from nothing there is no percent, and a fall is rounded to zero', async () => {
    expect(await statsOf('red-fox')).toMatchObject({
      price_change_1h_pct: '-33.333333333333333333',
      price_change_1h_abs: '-0.00001',
      volume_usd_1h: '0',
      volume_change_1h_abs: '0',
      volume_change_1h_pct: null,
      holder_count_change_1h_abs: '3',
      holder_count_change_1h_pct: null,
      launchpad_progress_change_1h_abs: '80',
      launchpad_progress_change_1h_pct: null,
    });
  });

  test('behavior: windows that are not known yet are null in all their keys, never 0', async () => {
    const stats = await statsOf('owl');
    for (const window of ['5m', '1h', '6h', '24h'] as const) {
      const keys = Object.keys(stats).filter((key) => key.includes(`_${window}`));
      expect(keys).toHaveLength(11);
      for (const key of keys) expect([key, stats[key]]).toEqual([key, null]);
    }
  });

  test('behavior: while the chain catches up, its windows are older than its prices and so not known', async () => {
    const chain = reads.db.updateTable('chain').where('eid', '=', fox.eid);
    await chain.set({ rolled_block: 76 }).execute();
    const [stats, { tokens }] = [await statsOf('red-fox'), await ask(reads.context, 'getTokensV2', {}, null)];
    await chain.set({ rolled_block: 77 }).execute();
    expect(stats).toMatchObject({ price_usd: '0.00002', volume_usd_5m: null, price_change_5m_pct: null });
    expect(tokens.find(({ slug }) => slug === 'red-fox')).toMatchObject({ price: 0.00002, volume_5m: null });
  });

  test('behavior: nothing was traded yet; a graduated curve holds nothing', async () => {
    expect(await statsOf('owl')).toMatchObject({
      last_trade_at: null,
      last_trade_venue: null,
      updated_at: null,
      total_volume_usd: '0',
      launchpad_liquidity_usd: '0',
      launchpad_liquidity_usd_raw: '0',
    });
  });

  test('behavior: the venue is that of the last trade', async () => {
    await reads.db
      .insertInto('trade')
      .values(tradeRow(fox, 31, 0, { venue: 'pool' }))
      .execute();
    expect((await statsOf('red-fox')).last_trade_venue).toBe('uniswap_v4');
  });

  test('error: unknown token, no token', async () => {
    await expect(statsOf('nobody')).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    await expect(ask(reads.context, 'getTokenStats', {}, null)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
  });
});

describe('getTokenAbout', () => {
  test('default: the same as the search finds, with the builder that it was created through', async () => {
    for (const token_id of ['red-fox', fox.token_id, fox.platform_id, fox.address]) {
      const { success, token } = await ask(reads.context, 'getTokenAbout', { token_id }, null);
      const found = await ask(reads.context, 'searchToken', { input: 'red-fox' }, null);
      // The search result adds the fields that change with every trade.
      const { price_usd: _price, market_cap: _cap, holders_count: _holders, ...about } = found.token ?? {};
      expect([success, token]).toEqual([true, about]);
      expect(token.builder_code).toBe(hex(0xbb));
    }
  });

  test('error: unknown token, or only a part of a name', async () => {
    for (const token_id of ['nobody', 'red'])
      await expect(ask(reads.context, 'getTokenAbout', { token_id }, null)).rejects.toMatchObject({
        code: 'TOKEN_NOT_FOUND',
      });
  });
});
