import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { onEvm } from '../../test/onEvm.ts';
import { curveOf, quoteCurve } from './curve.ts';
import { moneyRaisedDown, wholePercentRaised } from './moneyRaised.ts';
import { poolTypeBySlug, poolTypes } from './poolTypes.ts';

const token = 10n ** 18n;
const usd = 10n ** 6n;
const meme = poolTypeBySlug('meme');

interface CurveCase {
  virtualTokens: string;
  virtualUsd: string;
  tokensLeft: string;
  reserveUsd: string;
}
const file = new URL('../../../../vectors/curve.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: CurveCase[] };

/** Pool type and decimals of a state in the vectors: B₀ tells them. */
const startOf = ({ virtualUsd, reserveUsd }: CurveCase) => {
  const start = BigInt(virtualUsd) - BigInt(reserveUsd);
  for (const poolType of poolTypes)
    for (const usdDecimals of [6, 18])
      if (curveOf(poolType, onEvm(usdDecimals)).virtualUsd === start) return { poolType, usdDecimals };
  throw new Error(`No pool type begins with ${start}`);
};

describe('moneyRaisedDown', () => {
  test.each(poolTypes)('default: nothing at the start of $slug, the target when it is sold out', (poolType) => {
    for (const usdDecimals of [6, 8, 18]) {
      const targetUsd = poolType.raiseUsd * 10n ** BigInt(usdDecimals);
      expect(moneyRaisedDown(poolType, onEvm(usdDecimals), 0n)).toEqual({ raisedUsd: 0n, targetUsd });
      const all = poolType.curveTokens * token;
      expect(moneyRaisedDown(poolType, onEvm(usdDecimals), all)).toEqual({ raisedUsd: targetUsd, targetUsd });
      expect(moneyRaisedDown(poolType, onEvm(usdDecimals), all - 1n).raisedUsd).toBe(targetUsd - 1n);
    }
  });

  test('default: 73 % of the money by 89 % of the tokens', () => {
    const raised = moneyRaisedDown(meme, onEvm(6), 667_520_000n * token);
    expect(raised).toEqual({ raisedUsd: 18_239_048_701n, targetUsd: 25_000n * usd });
    expect(wholePercentRaised(raised)).toBe(73);
  });

  test('behavior: never more than the reserve of the contracts, and less by what trades were rounded only', () => {
    let compared = 0;
    for (const one of cases) {
      const { poolType, usdDecimals } = startOf(one);
      const soldTokens = poolType.curveTokens * token - BigInt(one.tokensLeft);
      const { raisedUsd } = moneyRaisedDown(poolType, onEvm(usdDecimals), soldTokens);
      const reserveUsd = BigInt(one.reserveUsd);
      expect(raisedUsd <= reserveUsd).toBe(true);
      // The states were made by one buy, and hold up to a million base units more, as from many trades.
      expect(reserveUsd - raisedUsd <= 1_000_001n).toBe(true);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(100);
  });

  test('behavior: one buy from the start raises exactly what it paid, rounded up', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...poolTypes),
        fc.constantFrom(6, 18),
        fc.bigInt(1n, 10n ** 27n),
        (type, decimals, n) => {
          const curve = curveOf(type, onEvm(decimals));
          const amount = (n % curve.tokensLeft) + 1n;
          const fees = { feeBps: 100n, builderBps: 0n, hasReferral: false, hasReferrer: false };
          const { after } = quoteCurve(curve, { ...fees, kind: 'buyExactOut', amount });
          const { raisedUsd } = moneyRaisedDown(type, onEvm(decimals), amount);
          expect([0n, 1n]).toContain(after.reserveUsd - raisedUsd);
        },
      ),
    );
  });
});

describe('wholePercentRaised', () => {
  test.each([
    [0n, 0],
    [124_999_999n, 0],
    [125_000_000n, 1],
    [18_240_000_000n, 73],
    [24_875_000_000n, 99],
    [24_999_999_999n, 99],
    [25_000_000_000n, 100],
  ])('default: %s of 25,000,000,000 is %i', (raisedUsd, percent) => {
    expect(wholePercentRaised({ raisedUsd, targetUsd: 25_000n * usd })).toBe(percent);
  });
});
