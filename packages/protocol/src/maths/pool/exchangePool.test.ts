import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../../../test/codeOf.ts';
import { onEvm } from '../../../test/onEvm.ts';
import { curveOf, usdForTokensUp } from '../curve.ts';
import { graduate } from '../graduation.ts';
import { poolTypes } from '../poolTypes.ts';
import { formatFdvUsd } from '../price.ts';
import { priceImpactBpsUp, type TradeKind, type TradeOrder } from '../trade.ts';
import { type ExchangePool, exchangePoolPrice, quoteExchangePool } from './exchangePool.ts';

const token = 10n ** 18n;
const normal = { feeBps: 100n, builderBps: 0n, hasReferral: false, hasReferrer: false };
const order = (kind: TradeKind, amount: bigint, extra: Partial<TradeOrder> = {}): TradeOrder => ({
  ...normal,
  kind,
  amount,
  ...extra,
});
const graduated = (usdIs0: boolean, usdDecimals = 6, windowDollars = 1_000n, protocolFee = 0): ExchangePool => {
  const poolType = poolTypes[0] as (typeof poolTypes)[number];
  const start = curveOf(poolType, onEvm(usdDecimals));
  const curve = curveOf(poolType, onEvm(usdDecimals), {
    tokensLeft: 0n,
    reserveUsd: usdForTokensUp(start, start.tokensLeft),
  });
  const floorUsd = windowDollars * 10n ** BigInt(usdDecimals);
  return graduate({ poolType, decimals: onEvm(usdDecimals), curve, floorUsd, usdIs0, protocolFee }).pool;
};

const scenario = fc
  .record({
    usdIs0: fc.boolean(),
    usdDecimals: fc.constantFrom(6, 18),
    windowDollars: fc.constantFrom(0n, 1_000n, 50_000n),
    protocolFee: fc.constantFrom(0, 1_000 | (1_000 << 12), 500 | (100 << 12)),
  })
  .map(({ usdIs0, usdDecimals, windowDollars, protocolFee }) => ({
    pool: graduated(usdIs0, usdDecimals, windowDollars, protocolFee),
    dollar: 10n ** BigInt(usdDecimals),
  }));
const size = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, 10n ** 9n), fc.bigInt(1n, 10n ** 14n));

describe('quoteExchangePool', () => {
  // 250 M tokens · 99 / (25,000 + 99) USD.
  test('C17 default: 100 USD buy the same in both token orders, but for the last digits of a square root', () => {
    const [zero, one] = [true, false].map((usdIs0) =>
      quoteExchangePool(graduated(usdIs0), order('buyExactIn', 100_000_000n)),
    );
    expect(zero).toMatchObject({ grossUsd: 100_000_000n, netUsd: 99_000_000n, amountIn: 100_000_000n });
    expect((zero?.tokens ?? 0n) / token).toBe((one?.tokens ?? 0n) / token);
    expect((zero?.tokens ?? 0n) / token).toBe(986_095n);
  });

  test('behavior: a sell far down crosses into the floor, where it gets more than without', () => {
    for (const usdIs0 of [true, false]) {
      const all = order('sellExactIn', 740_000_000n * token);
      const bare = quoteExchangePool(graduated(usdIs0, 6, 0n), all);
      const floored = quoteExchangePool(graduated(usdIs0, 6, 50_000n), all);
      expect(floored.after.liquidity).toBeGreaterThan(graduated(usdIs0).liquidity);
      expect(floored.grossUsd).toBeGreaterThan(bare.grossUsd);
    }
  });

  test('error: codes', () => {
    const pool = graduated(true);
    expect(codeOf(() => quoteExchangePool(pool, order('buyExactIn', 1n)))).toBe('AMOUNT_TOO_SMALL');
    expect(codeOf(() => quoteExchangePool(pool, order('sellExactIn', 1n)))).toBe('AMOUNT_TOO_SMALL');
    expect(codeOf(() => quoteExchangePool(pool, order('buyExactOut', 250_000_000n * token)))).toBe('PARTIAL_FILL');
    expect(codeOf(() => quoteExchangePool(pool, order('sellExactOut', 26_000_000_000n)))).toBe('PARTIAL_FILL');
    expect(codeOf(() => quoteExchangePool(pool, order('buyExactIn', 10n ** 9n, { builderBps: 9_900n })))).toBe(
      'FEES_EXCEED_AMOUNT',
    );
  });

  test('C7 behavior: buying and selling back never profits, with floor and protocol fee, in both token orders', () => {
    fc.assert(
      fc.property(scenario, size, fc.boolean(), ({ pool, dollar }, amount, exactOut) => {
        const asked = exactOut
          ? order('buyExactOut', (amount * token) / 10n ** 7n + 1n)
          : order('buyExactIn', (amount * dollar) / 10n ** 9n + 2n);
        if (codeOf(() => quoteExchangePool(pool, asked)) !== 'none') return;
        const buy = quoteExchangePool(pool, asked);
        if (codeOf(() => quoteExchangePool(buy.after, order('sellExactIn', buy.tokens))) !== 'none') return;
        const sell = quoteExchangePool(buy.after, order('sellExactIn', buy.tokens));
        expect(sell.grossUsd <= buy.netUsd).toBe(true);
        expect(sell.netUsd < buy.grossUsd).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('C7 behavior: exact-out costs at least what exact-in needs', () => {
    fc.assert(
      fc.property(scenario, size, ({ pool }, amount) => {
        const asked = order('buyExactOut', (amount * token) / 10n ** 6n + 1n);
        if (codeOf(() => quoteExchangePool(pool, asked)) !== 'none') return;
        const out = quoteExchangePool(pool, asked);
        expect(quoteExchangePool(pool, order('buyExactIn', out.grossUsd)).tokens >= out.tokens).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('exchangePoolPrice at the opening is the FDV of the design, in both token orders', () => {
  for (const usdIs0 of [true, false]) {
    const price = exchangePoolPrice(graduated(usdIs0, 18));
    expect(Number(formatFdvUsd(price, onEvm(18)))).toBeCloseTo(100_000, 6);
    const trade = quoteExchangePool(graduated(usdIs0, 18), order('buyExactIn', 1_000n * 10n ** 18n));
    // 990 net into 25,000: 990 / 25,990 of the price is lost.
    expect(priceImpactBpsUp(price, trade)).toBe(381n);
  }
});
