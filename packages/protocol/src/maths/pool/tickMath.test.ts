import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxSqrtPriceX96, maxTick, minSqrtPriceX96, minTick, sqrtPriceX96Of, tickOf } from './tickMath.ts';

describe('sqrtPriceX96Of', () => {
  test('default: the ends of the range and the middle', () => {
    expect(sqrtPriceX96Of(minTick)).toBe(minSqrtPriceX96);
    expect(sqrtPriceX96Of(maxTick)).toBe(maxSqrtPriceX96);
    expect(sqrtPriceX96Of(0)).toBe(1n << 96n);
  });
  test('error: beyond the range', () => {
    expect(() => sqrtPriceX96Of(maxTick + 1)).toThrow(RangeError);
    expect(() => sqrtPriceX96Of(minTick - 1)).toThrow(RangeError);
  });
});

describe('tickOf', () => {
  test('behavior: is the greatest tick at or below the price, at any price', () => {
    const near = fc
      .tuple(fc.integer({ min: minTick, max: maxTick - 1 }), fc.bigInt(-2n, 2n))
      .map(([tick, nudge]) => sqrtPriceX96Of(tick) + nudge);
    fc.assert(
      fc.property(fc.oneof(near, fc.bigInt(minSqrtPriceX96, maxSqrtPriceX96 - 1n)), (price) => {
        if (price < minSqrtPriceX96) return;
        const tick = tickOf(price);
        expect(sqrtPriceX96Of(tick) <= price).toBe(true);
        expect(sqrtPriceX96Of(tick + 1) > price).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
  test('behavior: the ends', () => {
    expect(tickOf(minSqrtPriceX96)).toBe(minTick);
    expect(tickOf(maxSqrtPriceX96 - 1n)).toBe(maxTick - 1);
    expect(() => tickOf(minSqrtPriceX96 - 1n)).toThrow(RangeError);
    expect(() => tickOf(maxSqrtPriceX96)).toThrow(RangeError);
  });
});
