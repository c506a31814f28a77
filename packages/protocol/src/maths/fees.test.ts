import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MintageError } from '../schemas/errors.ts';
import { buyFeeBps, grossOfNetUp, netOfGrossDown, shareBase, splitFee, totalBps } from './fees.ts';

const terms = fc.record({
  feeBps: fc.constantFrom(8000n, 6684n, 5367n, 4050n, 2734n, 1417n, 100n),
  builderBps: fc.oneof(fc.constant(0n), fc.bigInt(0n, 100n), fc.bigInt(0n, 9_899n)),
  hasReferral: fc.boolean(),
  hasReferrer: fc.boolean(),
});
const amount = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 10n ** 26n));

test('C11 buyFeeBps gives the published schedule, second by second', () => {
  expect([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 10n ** 9n].map(buyFeeBps)).toEqual([
    8000n,
    6684n,
    5367n,
    4050n,
    2734n,
    1417n,
    100n,
    100n,
    100n,
  ]);
});

describe('splitFee', () => {
  test('default: a normal trade of 100 USD with everybody in it', () => {
    const parts = splitFee(100_000_000n, 2_000_000n, {
      feeBps: 100n,
      builderBps: 100n,
      hasReferral: true,
      hasReferrer: true,
    });
    expect(parts).toEqual({
      total: 2_000_000n,
      builder: 1_000_000n,
      base: 1_000_000n,
      excess: 0n,
      creator: 350_000n,
      referral: 150_000n,
      referrer: 100_000n,
      cashback: 40_000n,
      treasury: 360_000n,
    });
  });

  test('C12 C13 behavior: for any amount and mix every part is at least zero and the parts sum', () => {
    fc.assert(
      fc.property(amount, terms, fc.boolean(), (start, mix, fromNet) => {
        if (mix.feeBps + mix.builderBps >= 10_000n) return;
        const sumBps = totalBps(mix);
        const grossUsd = fromNet ? grossOfNetUp(start, sumBps) : start;
        const netUsd = fromNet ? start : netOfGrossDown(start, sumBps);
        const parts = splitFee(grossUsd, grossUsd - netUsd, mix);
        for (const [name, part] of Object.entries(parts)) expect(part >= 0n, name).toBe(true);
        expect(parts.builder + parts.base + parts.excess).toBe(parts.total);
        const { creator, referral, referrer, cashback, treasury } = parts;
        expect(creator + referral + referrer + cashback + treasury).toBe(parts.base);
        if (mix.feeBps === 100n) expect(parts.excess).toBe(0n);
        expect(shareBase(grossUsd, parts.base, mix)).toEqual({
          creator,
          referral,
          referrer,
          cashback,
          treasury,
        });
      }),
      { numRuns: 2_000 },
    );
  });
});

test('C12 totalBps: fees that leave nothing are refused', () => {
  const mix = { feeBps: 100n, builderBps: 9_900n, hasReferral: false, hasReferrer: false };
  expect(() => totalBps(mix)).toThrow(MintageError);
  expect(totalBps({ ...mix, builderBps: 9_899n })).toBe(9_999n);
});

test.each([100n, 1_417n, 8_000n])('L10 totalBps error: names the largest builder fee beside %s', (feeBps) => {
  const mix = { feeBps, builderBps: 10_000n, hasReferral: false, hasReferrer: false };
  const most = 9_999n - feeBps;
  expect(() => totalBps(mix)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(new RegExp(`builder\\.fee is at most ${most}\\.$`)),
      details: expect.objectContaining({ maxBuilderBps: String(most) }),
    }),
  );
  expect(totalBps({ ...mix, builderBps: most })).toBe(9_999n);
  expect(() => totalBps({ ...mix, builderBps: most + 1n })).toThrow();
});

test('C7 grossOfNetUp is the least gross that leaves the net', () => {
  fc.assert(
    fc.property(amount, fc.bigInt(100n, 9_999n), (netUsd, sumBps) => {
      const grossUsd = grossOfNetUp(netUsd, sumBps);
      expect(netOfGrossDown(grossUsd, sumBps) >= netUsd).toBe(true);
      expect(netOfGrossDown(grossUsd - 1n, sumBps) < netUsd).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
