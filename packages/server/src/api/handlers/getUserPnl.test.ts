import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addDraft,
  addToken,
  ask,
  callerWith,
  heldRow,
  hex,
  startReads,
  tokenRow,
} from '../../../test/api/reads/readsFixture.ts';

const first = hex(0xa1);
const second = hex(0xa2);
const swapper = hex(0xa3);
const caller = callerWith(first, second);
const unit = 10n ** 18n;
/** 0.00001 USD. */
const fox = tokenRow('base-sepolia', hex(0xf0));
const elk = tokenRow('bnb', hex(0xf2), { name: 'Elk', symbol: 'ELK' });
const owl = tokenRow('base', hex(0xf3), { name: 'Owl', symbol: 'OWL' });
const hen = tokenRow('base', hex(0xf4), { name: 'Hen', symbol: 'HEN' });
/** Came to another chain. */
const yak = tokenRow('base', hex(0xf5), { name: 'Yak', symbol: 'YAK' });
const traveller = hex(0xa4);

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  for (const [token, slug] of [
    [fox, 'red-fox'],
    [elk, 'elk'],
    [owl, 'owl'],
    [hen, 'hen'],
    [yak, 'yak'],
  ] as const)
    await addToken(reads.db, token, slug);
  await addDraft(reads.db, fox, 'red-fox');
  await reads.db
    .insertInto('remote_token')
    .values({
      eid: elk.eid,
      address: yak.address,
      home_eid: yak.eid,
      token_id: yak.token_id,
      platform_id: yak.platform_id,
      creator: yak.creator,
      salt: yak.salt,
      name: yak.name,
      symbol: yak.symbol,
      registered_at: yak.created_at,
      block_number: 1,
      log_index: 0,
      tx_hash: yak.tx_hash,
      supply: 50_000n,
      holders: 1,
    })
    .execute();
  const dollar = 10n ** 18n;
  await reads.db
    .insertInto('balance')
    .values([
      // Bought 300,000 for 2.4 dollars, sold a third for 1.7.
      heldRow(fox, first, {
        amount: 200_000n * unit,
        cost_usd: 1_600_000n,
        realised_usd: 900_000n,
        bought_usd: 2_400_000n,
        bought_tokens: 300_000n * unit,
        sold_usd: 1_700_000n,
        sold_tokens: 100_000n * unit,
      }),
      // Was given 100,000 by a stranger, with their cost.
      heldRow(fox, second, {
        amount: 100_000n * unit,
        cost_usd: 300_000n,
        first_acquired: new Date('2026-01-02T00:00:00Z'),
      }),
      // Sold out with a loss, on a chain whose dollar has 18 digits.
      heldRow(elk, first, {
        amount: 0n,
        realised_usd: -(dollar / 4n) - 1n,
        bought_usd: dollar,
        bought_tokens: unit,
        sold_usd: dollar - dollar / 4n - 1n,
        sold_tokens: unit,
      }),
      heldRow(owl, first, { amount: 0n, realised_usd: 2_000_000n, bought_usd: 1n, sold_usd: 2_000_001n }),
      heldRow(hen, hex(0xbad), { cost_usd: 1n }),
      // Half of it came through a foreign router.
      heldRow(hen, swapper, { amount: 200_000n * unit, unpriced_tokens: 100_000n * unit, cost_usd: 400_000n }),
      heldRow(yak, traveller, { amount: 50_000n }),
      { ...heldRow(yak, traveller, { amount: 50_000n }), eid: elk.eid },
      heldRow(hen, traveller, { amount: 3n * unit }),
    ])
    .execute();
});
afterAll(() => reads?.stop());

const pnl = async (body: unknown, who = caller) => (await ask(reads.context, 'getUserPnl', body, who)).data;

describe('getUserPnl', () => {
  test('H19 behavior: tokens of unknown cost are worth something, and neither cost nor profit', async () => {
    const { tokens, ...sums } = await pnl({}, callerWith(swapper));
    const worth = { valueUsd: '2', costUsd: '0.4', unrealisedUsd: '0.6', realisedUsd: '0' };
    expect(sums).toMatchObject(worth);
    expect(tokens).toMatchObject([{ ...worth, averageCostUsd: '0.000004', unpricedTokens: '100000' }]);
  });

  test('default: sold-out tokens too, wallets of one user together, dollars of 6 and 18 digits added exactly', async () => {
    const { tokens, pagination, ...sums } = await pnl({});
    expect(sums).toEqual({
      valueUsd: '3',
      costUsd: '1.9',
      unrealisedUsd: '1.1',
      realisedUsd: '2.649999999999999999',
    });
    expect(pagination).toEqual({ limit: 100, offset: 0, total: 3, has_more: false });
    expect(tokens.map(({ symbol, realisedUsd }) => [symbol, realisedUsd])).toEqual([
      ['FOX', '0.9'],
      ['OWL', '2'],
      ['ELK', '-0.250000000000000001'],
    ]);
    expect(tokens[0]).toEqual({
      tokenId: fox.token_id,
      acmePadId: fox.platform_id,
      platformId: fox.platform_id,
      name: 'Red Fox',
      symbol: 'FOX',
      slug: 'red-fox',
      logo: 'http://127.0.0.1/fox.webp',
      chainSlug: 'base-sepolia',
      tokenAddress: fox.address,
      balance: '300000',
      balanceRaw: '300000000000000000000000',
      priceUsd: '0.00001',
      valueUsd: '3',
      costUsd: '1.9',
      unrealisedUsd: '1.1',
      realisedUsd: '0.9',
      averageCostUsd: '0.000006333333333333',
      unpricedTokens: '0',
      boughtUsd: '2.4',
      boughtTokens: '300000',
      soldUsd: '1.7',
      soldTokens: '100000',
      firstAcquired: '2026-01-02T00:00:00.000Z',
    });
    expect(tokens[1]).toMatchObject({ balance: '0', valueUsd: '0', averageCostUsd: null });
    expect(tokens[1]).not.toHaveProperty('logo');
  });

  test('behavior: one token, some chains, pages; the sums follow the filter and not the page', async () => {
    expect(await pnl({ token_id: 'elk' })).toMatchObject({
      realisedUsd: '-0.250000000000000001',
      tokens: [{ symbol: 'ELK' }],
    });
    expect((await pnl({ chains: ['base', 'nowhere'] })).tokens.map(({ symbol }) => symbol)).toEqual(['OWL']);
    const second = await pnl({ limit: 1, offset: 1 });
    expect([second.costUsd, second.tokens.map(({ symbol }) => symbol)]).toEqual(['1.9', ['OWL']]);
    expect((await pnl({ limit: 1 })).tokens.map(({ symbol }) => symbol)).toEqual(['FOX']);
    expect(second.pagination).toEqual({ limit: 1, offset: 1, total: 3, has_more: true });
    expect((await pnl({ offset: 3 })).pagination.total).toBe(3);
  });

  test('behavior: W5 nobody else is in it, and somebody without wallets or trades has nothing', async () => {
    const nothing = { valueUsd: '0', costUsd: '0', unrealisedUsd: '0', realisedUsd: '0', tokens: [] };
    expect(await pnl({}, callerWith())).toMatchObject(nothing);
    expect(await pnl({ token_id: 'hen' })).toMatchObject(nothing);
  });

  test('behavior: what was sold out is not in the portfolio', async () => {
    const { data } = await ask(reads.context, 'getUserPortfolio', {}, caller);
    expect([data.totalTokensCount, data.tokens.map(({ symbol }) => symbol)]).toEqual([1, ['FOX']]);
  });

  test.each([{ limit: 0 }, { limit: 501 }, { offset: 10_001 }, { chains: 'base' }])(
    'error: R7 bounds are checked: %j',
    async (body) => {
      await expect(pnl(body)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
    },
  );

  test('error: an unknown token', async () => {
    await expect(pnl({ token_id: 'nothing' })).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
  });

  test('behavior: of one wallet, a token of two chains is one position, valued as a whole, beside one of a single chain', async () => {
    const { tokens, pagination, valueUsd } = await pnl({}, callerWith(traveller));
    expect(tokens.map((token) => [token.name, token.balanceRaw, token.valueUsd])).toEqual([
      ['Hen', '3000000000000000000', '0.00003'],
      ['Yak', '100000', '0.000000000000000001'],
    ]);
    expect([pagination.total, valueUsd]).toEqual([2, '0.000030000000000001']);
    const [alone] = (await pnl({ chains: ['bnb'] }, callerWith(traveller))).tokens;
    expect([alone?.name, alone?.balanceRaw, alone?.chainSlug]).toEqual(['Yak', '50000', 'base']);
  });
});
