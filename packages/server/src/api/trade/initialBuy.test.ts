import { describe, expect, it } from 'vitest';
import { initialBuyOf } from './initialBuy.ts';

const onEvm = (usd: number) => ({ token: 18, usd });

describe('initialBuyOf', () => {
  it('default: dollars, or tokens with the most dollars to spend', () => {
    expect(initialBuyOf({ amountIn: 2.5 }, onEvm(6))).toEqual({ kind: 'buyExactIn', amount: 2_500_000n, maxUsd: null });
    expect(initialBuyOf({ tokensOut: 3, maxAmountIn: 4 }, onEvm(18))).toEqual({
      kind: 'buyExactOut',
      amount: 3n * 10n ** 18n,
      maxUsd: 4n * 10n ** 18n,
    });
  });

  it('behavior: tokensOut wins, 0 counts as absent', () => {
    expect(initialBuyOf({ amountIn: 9, tokensOut: 3, maxAmountIn: 4 }, onEvm(6))?.kind).toBe('buyExactOut');
    expect(initialBuyOf({ amountIn: 9, tokensOut: 0, maxAmountIn: 4 }, onEvm(6))?.kind).toBe('buyExactIn');
    expect(initialBuyOf({ amountIn: 0 }, onEvm(6))).toBeNull();
    expect(initialBuyOf({}, onEvm(6))).toBeNull();
    expect(initialBuyOf({ maxAmountIn: 5 }, onEvm(6))).toBeNull();
  });

  it('error: tokensOut without maxAmountIn, more digits than the dollar has', () => {
    for (const input of [{ tokensOut: 1 }, { tokensOut: 1, maxAmountIn: 0 }])
      expect(() => initialBuyOf(input, onEvm(6))).toThrow('maxAmountIn: is required');
    expect(() => initialBuyOf({ amountIn: 0.1234567 }, onEvm(6))).toThrow('amountIn: must have at most 6 digits');
  });
});
