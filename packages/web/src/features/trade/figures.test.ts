import { curveOf, type PricedState, poolTypeById } from '@mintage/protocol';
import { describe, expect, it } from 'vitest';
import { afterWindow, figuresOf, isWorse, openingFeeOf, stairs, timesAsGood } from './figures.ts';

const nobody = { hasReferral: false, hasReferrer: false };

const fresh = (ageSeconds: number): PricedState => {
  const type = poolTypeById(7);
  if (type === undefined) throw new Error('There is no pool type 7.');
  return {
    curve: curveOf(type, { token: 18, usd: 6 }),
    pool: null,
    treasuryShareUsd: 0n,
    ageSeconds,
    graduation: null,
  };
};

describe('figuresOf', () => {
  const terms = { kind: 'buyExactIn', amount: 100_000_000n } as const;
  it('follows the stairs of the opening fee, and what waiting brings', () => {
    expect(stairs).toEqual([8000, 6684, 5367, 4050, 2734, 1417, 100]);
    expect(openingFeeOf(fresh(2), 'buy')).toEqual({ feeBps: 5367, ageSeconds: 2, secondsLeft: 4 });
    expect(openingFeeOf(fresh(6), 'buy')).toBe(null);
    expect(openingFeeOf(fresh(0), 'sell')).toBe(null);
    const now = figuresOf(fresh(2), terms, 300, nobody);
    const later = figuresOf(afterWindow(fresh(2)), terms, 300, nobody);
    expect(now.trade.fees.total).toBe(53_670_000n);
    expect(timesAsGood(now, later)).toBe(2.1);
  });
  it('the limit is the worse for slippage, whichever side is exact', () => {
    const exactIn = figuresOf(fresh(600), terms, 100, nobody);
    expect(exactIn.limit).toBe((exactIn.about * 99n) / 100n);
    const exactOut = figuresOf(fresh(600), { kind: 'buyExactOut', amount: 10n ** 21n }, 100, nobody);
    expect(exactOut.limit).toBe((exactOut.about * 101n + 99n) / 100n);
    expect([isWorse(terms, 9n, 10n), isWorse(terms, 10n, 10n), isWorse(terms, 11n, 10n)]).toEqual([true, false, false]);
    const out = { kind: 'buyExactOut', amount: 1n } as const;
    expect([isWorse(out, 9n, 10n), isWorse(out, 11n, 10n)]).toEqual([false, true]);
  });
});
