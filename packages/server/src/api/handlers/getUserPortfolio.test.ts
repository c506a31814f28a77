import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addDraft,
  addToken,
  ask,
  callerWith,
  hex,
  startReads,
  tokenRow,
} from '../../../test/api/reads/readsFixture.ts';

const first = hex(0xa1);
const second = hex(0xa2);
const caller = callerWith(first, second);
const unit = 10n ** 18n;

/** 0.00001 USD on the curve. */
const fox = tokenRow('base-sepolia', hex(0xf0));
/** 0.01 USD. */
const owl = tokenRow('base-sepolia', hex(0xf1), {
  name: 'Owl',
  symbol: 'OWL',
  price_usd18: 10n ** 16n,
});
/** USD of 18 decimals; nothing is known of it but what the chain says. */
const elk = tokenRow('bnb', hex(0xf2), { name: 'Elk', symbol: 'ELK' });

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  await addToken(reads.db, fox, 'red-fox');
  await addDraft(reads.db, fox, 'red-fox');
  await addToken(reads.db, owl, 'owl');
  await addToken(reads.db, elk, 'elk');
  const held = (token: typeof fox, wallet: `0x${string}`, amount: bigint, day: number) => ({
    eid: token.eid,
    token: token.address,
    wallet,
    amount,
    first_acquired: new Date(`2026-01-0${day}T00:00:00Z`),
    updated_at: new Date(),
  });
  await reads.db
    .insertInto('balance')
    .values([
      held(fox, first, 100_000n * unit, 3),
      held(fox, second, 50_000n * unit, 2),
      held(fox, hex(0xbad), 1n, 1),
      held(owl, first, 1_000n * unit, 4),
      held(elk, second, 1n, 5),
      held(elk, first, 0n, 1),
    ])
    .execute();
});
afterAll(() => reads?.stop());

const portfolio = async (body: unknown, who = caller) => (await ask(reads.context, 'getUserPortfolio', body, who)).data;

describe('getUserPortfolio', () => {
  test('default: grouped by token over all wallets, most valuable first', async () => {
    const { tokens, totalValueUsd, totalTokensCount } = await portfolio({});
    expect(tokens.map(({ symbol, totalBalanceUsd }) => [symbol, totalBalanceUsd])).toEqual([
      ['OWL', expect.closeTo(10, 6)],
      ['FOX', 1.5],
      ['ELK', 0],
    ]);
    expect(totalTokensCount).toBe(3);
    expect(totalValueUsd).toBeCloseTo(11.5, 6);
    expect(tokens[1]).toEqual({
      tokenId: fox.token_id,
      name: 'Red Fox',
      symbol: 'FOX',
      slug: 'red-fox',
      totalBalanceUsd: 1.5,
      chainBalances: [
        {
          chain: 'base-sepolia',
          chainSlug: 'base-sepolia',
          balance: '100000000000000000000000',
          balanceFormatted: '100000',
          walletAddress: first,
          tokenAddress: fox.address,
          decimals: 18,
          eid: 40245,
          createdAt: '2026-01-03T00:00:00.000Z',
          priceUsd: 0.00001,
          valueUsd: 1,
        },
        {
          chain: 'base-sepolia',
          chainSlug: 'base-sepolia',
          balance: '50000000000000000000000',
          balanceFormatted: '50000',
          walletAddress: second,
          tokenAddress: fox.address,
          decimals: 18,
          eid: 40245,
          createdAt: '2026-01-02T00:00:00.000Z',
          priceUsd: 0.00001,
          valueUsd: 0.5,
        },
      ],
      availableChains: ['base-sepolia'],
      logo: 'http://127.0.0.1/fox.webp',
      platformId: fox.platform_id,
      acmePadId: fox.platform_id,
      firstAcquired: '2026-01-02T00:00:00.000Z',
    });
  });

  test('behavior: a logo that nobody told is left out, never null', async () => {
    const { tokens } = await portfolio({ chains: ['bnb'] });
    expect(tokens).toHaveLength(1);
    expect(tokens[0]).not.toHaveProperty('logo');
    expect(tokens[0]?.chainBalances[0]).toMatchObject({
      balance: '1',
      balanceFormatted: '0.000000000000000001',
      priceUsd: 0.00001,
    });
  });

  test('behavior: chains restricts the portfolio; strangers and empty balances are not in it', async () => {
    expect(await portfolio({ chains: ['nowhere'] })).toEqual({ tokens: [], totalValueUsd: 0, totalTokensCount: 0 });
    expect((await portfolio({ chains: ['op-bnb', 'bnb'] })).tokens.map(({ symbol }) => symbol)).toEqual(['ELK']);
    expect((await portfolio({}, callerWith())).tokens).toEqual([]);
  });

  test('behavior: R7 a page has the most valuable tokens, and the sums are over all pages', async () => {
    const second = await portfolio({ limit: 1, offset: 1 });
    expect(second.tokens.map(({ symbol }) => symbol)).toEqual(['FOX']);
    expect([second.totalTokensCount, second.totalValueUsd]).toEqual([3, 11.5]);
    expect(await portfolio({ offset: 3 })).toEqual({ tokens: [], totalValueUsd: 11.5, totalTokensCount: 3 });
    for (const body of [{ limit: 0 }, { limit: 501 }, { offset: 10_001 }])
      await expect(portfolio(body)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
  });

  test('behavior: the same as an info read, and each balance by itself in getUserBalance', async () => {
    const info = await ask(reads.context, 'info', { type: 'getUserPortfolio', chains: null }, caller);
    expect(info).toEqual({ type: 'getUserPortfolio', success: true, data: await portfolio({}) });
    const { data } = await ask(reads.context, 'getUserBalance', {}, caller);
    expect(data.totalUsd).toBe('11.5');
    expect(data.balances.map((row) => [row.tokenId, row.walletAddress, row.balance, row.valueUsd])).toEqual([
      [owl.token_id, first, (1_000n * unit).toString(), '10'],
      [fox.token_id, first, (100_000n * unit).toString(), '1'],
      [fox.token_id, second, (50_000n * unit).toString(), '0.5'],
      [elk.token_id, second, '1', '0'],
    ]);
  });

  test('error: chains must be a list of texts', async () => {
    await expect(portfolio({ chains: 'bnb' })).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
  });
});
