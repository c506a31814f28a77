import {
  curveOf,
  type ExchangePool,
  limitOf,
  normalBps,
  poolTypeBySlug,
  quotePool,
  tierFeeV3,
  tierPoolFeeBps,
  usdForTokensUp,
} from '@mintage/protocol';
import { describe, expect, test } from 'vitest';
import { type Market, type Order, priceOrder } from './market.ts';

const dollar = `0x${'d1'.repeat(20)}` as const;
const poolType = poolTypeBySlug('meme');
const decimals = { token: 18, usd: 6 };
const fresh = curveOf(poolType, decimals);
const soldOut: Market = {
  curve: curveOf(poolType, decimals, { tokensLeft: 0n, reserveUsd: usdForTokensUp(fresh, fresh.tokensLeft) }),
  pool: null,
  buyFeeBps: normalBps,
  opening: { poolType, decimals, floorUsd: 0n, venue: 'uniswap_v4' },
};
const buy = {
  kind: 'buyExactIn',
  token: `0x${'71'.repeat(20)}`,
  amount: 100_000_000n,
  limit: 0n,
  builderBps: 0n,
} as Order;

describe('priceOrder', () => {
  test('H20 behavior: a buy of a sold-out curve is priced on the pool that it opens', () => {
    const priced = priceOrder(soldOut, buy, dollar);
    // 250 M tokens and 25,000 dollars: 250 M · 99 / 25,099.
    expect(priced?.limitAt(0n)).toBe(986_095_063_548_348_539_481_674n);
    expect(priced?.market.curve).toBeNull();
  });

  test('behavior: a pool with a fee of its own takes no other, on either side', () => {
    const opening = { ...soldOut.opening, venue: 'uniswap_v3' as const, tierFee: tierFeeV3 };
    const pool = priceOrder({ ...soldOut, opening }, buy, dollar)?.market as Market & { pool: ExchangePool };
    const usdIs0 = dollar < buy.token;
    for (const order of [buy, { ...buy, kind: 'sellExactIn' as const, amount: 10n ** 24n }]) {
      const terms = { ...order, feeBps: tierPoolFeeBps, hasReferral: false, hasReferrer: false };
      expect(priceOrder(pool, order, dollar)?.limitAt(0n)).toBe(
        limitOf(quotePool({ ...pool.pool, usdIs0 }, terms), 0n),
      );
    }
  });

  test('H20 error: in the opening window no pool opens, and a sell finds the curve', () => {
    expect(priceOrder({ ...soldOut, buyFeeBps: 1_417n }, buy, dollar)).toBeNull();
    expect(priceOrder(soldOut, { ...buy, kind: 'sellExactIn', amount: 10n ** 18n }, dollar)?.market.pool).toBeNull();
  });
});
