import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { onEvm } from '../../test/onEvm.ts';
import { MintageError } from '../schemas/errors.ts';
import { curveOf, curvePrice, quoteCurve } from './curve.ts';
import { graduate } from './graduation.ts';
import { exchangePoolPrice } from './pool/exchangePool.ts';
import { maxUsableTick, minUsableTick } from './pool/swap.ts';
import { sqrtPriceX96Of } from './pool/tickMath.ts';
import { poolTypeBySlug, poolTypes } from './poolTypes.ts';

const completed = (poolType: (typeof poolTypes)[number], usdDecimals: number) => {
  const start = curveOf(poolType, onEvm(usdDecimals));
  const all = { kind: 'buyExactOut' as const, amount: start.tokensLeft };
  return quoteCurve(start, { ...all, feeBps: 100n, builderBps: 0n, hasReferral: false, hasReferrer: false }).after;
};

const input = fc
  .record({
    poolType: fc.constantFrom(...poolTypes),
    usdDecimals: fc.constantFrom(6, 8, 18),
    extraUsd: fc.bigInt(0n, 100n),
    windowDollars: fc.bigInt(0n, 100_000n),
    usdIs0: fc.boolean(),
  })
  .map(({ poolType, usdDecimals, extraUsd, windowDollars, usdIs0 }) => {
    const reserveUsd = completed(poolType, usdDecimals).reserveUsd + extraUsd;
    const curve = curveOf(poolType, onEvm(usdDecimals), { tokensLeft: 0n, reserveUsd });
    return {
      poolType,
      decimals: onEvm(usdDecimals),
      curve,
      floorUsd: windowDollars * 10n ** BigInt(usdDecimals),
      usdIs0,
    };
  });

describe('graduate', () => {
  test('default: a meme coin locks the whole raise and nearly every token at 100,000 USD', () => {
    const poolType = poolTypeBySlug('meme');
    const curve = completed(poolType, 6);
    const { pool, usdLocked, tokensLocked, dustTokens, floorUsd, dustUsd } = graduate({
      poolType,
      decimals: onEvm(6),
      curve,
      floorUsd: 0n,
      usdIs0: false,
    });
    expect(usdLocked + floorUsd + dustUsd).toBe(25_000_000_000n);
    expect(tokensLocked + dustTokens).toBe(250_000_000n * 10n ** 18n);
    expect(pool).toMatchObject({ tick: -368_433, fullRange: { tickLower: minUsableTick, tickUpper: maxUsableTick } });
  });

  test('C4 behavior: the pool opens within a basis point of the last price of the curve', () => {
    fc.assert(
      fc.property(input, (one) => {
        const [curve, pool] = [curvePrice(one.curve), exchangePoolPrice(graduate(one).pool)];
        const [left, right] = [curve.usd * pool.tokens, pool.usd * curve.tokens];
        const difference = left > right ? left - right : right - left;
        expect(difference * 10_000n <= left).toBe(true);
      }),
    );
  });

  test('C3 behavior: the floor holds USD only and ends at the start price, never nearer the opening price', () => {
    fc.assert(
      fc.property(input, (one) => {
        const { pool } = graduate(one);
        const { usd, tokens } = curvePrice(curveOf(one.poolType, one.decimals));
        const edge = one.usdIs0 ? pool.floor.tickLower : pool.floor.tickUpper;
        const edgePrice = exchangePoolPrice({ sqrtPriceX96: sqrtPriceX96Of(edge), usdIs0: one.usdIs0 });
        expect(edgePrice.usd * tokens <= usd * edgePrice.tokens).toBe(true);
        expect(pool.tick < pool.floor.tickLower || pool.tick >= pool.floor.tickUpper).toBe(true);
      }),
    );
  });

  test('C6 behavior: every dollar and every token has a place', () => {
    fc.assert(
      fc.property(input, (one) => {
        const { usdLocked, tokensLocked, floorUsd, creatorRewardUsd, dustUsd, dustTokens } = graduate(one);
        expect(usdLocked + floorUsd + creatorRewardUsd + dustUsd).toBe(one.curve.reserveUsd + one.floorUsd);
        expect(tokensLocked + dustTokens).toBe(one.poolType.poolTokens * 10n ** 18n);
        for (const part of [usdLocked, tokensLocked, floorUsd, dustUsd, dustTokens]) expect(part >= 0n).toBe(true);
      }),
    );
  });

  test('error: tokens are left', () => {
    const poolType = poolTypeBySlug('test');
    const curve = curveOf(poolType, onEvm(6));
    expect(() => graduate({ poolType, decimals: onEvm(6), curve, floorUsd: 0n, usdIs0: true })).toThrow(MintageError);
  });
});
