import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSameHash } from './apiKeys.ts';

/** Pairs of measurements, each of so many comparisons. */
const pairs = Number(process.env.TIMINGS ?? 4_000);
const perMeasurement = 30;

describe('isSameHash', () => {
  it('default', () => {
    const hash = randomBytes(32).toString('hex');
    expect(isSameHash(hash, hash)).toBe(true);
    expect(isSameHash(hash, hash.toUpperCase())).toBe(true);
    for (let place = 0; place < 64; place += 1) {
      const other = hash.slice(0, place) + (hash[place] === '0' ? '1' : '0') + hash.slice(place + 1);
      expect(isSameHash(hash, other)).toBe(false);
    }
  });

  it('A6 the time tells nothing of where two hashes differ: t < 4.5', () => {
    // One try may exceed the bound by chance; three in a row may not.
    const tries = [1, 2, 3].map(() => Math.abs(tOf(differencesOf(isSameHash))));
    expect(Math.min(...tries), `t of ${tries}`).toBeLessThan(4.5);
  });

  it('A6 behavior: this test sees a comparison that ends at the first difference', () => {
    const early = (a: string, b: string): boolean => {
      for (let place = 0; place < a.length; place += 1) if (a[place] !== b[place]) return false;
      return true;
    };
    expect(Math.abs(tOf(differencesOf(early)))).toBeGreaterThan(4.5);
  });
});

/**
 * Nanoseconds by which a guess that differs in its last digit takes longer than one that differs in its first. The two are measured
 * one after the other, by chance in which order, so that whatever else this machine does hits them alike; every pair has a hash
 * of its own.
 */
const differencesOf = (compare: (a: string, b: string) => boolean): number[] => {
  const flip = (digit: string) => (digit === '0' ? '1' : '0');
  let equal = 0;
  const time = (hash: string, guess: string): number => {
    const started = process.hrtime.bigint();
    for (let i = 0; i < perMeasurement; i += 1) equal += compare(hash, guess) ? 1 : 0;
    return Number(process.hrtime.bigint() - started);
  };
  const differences: number[] = [];
  for (let pair = 0; pair < pairs * 1.1; pair += 1) {
    const hash = randomBytes(32).toString('hex');
    const [first, last] = [hash.slice(0, 1), hash.slice(-1)];
    // Buffers make flat texts of both, however they were put together.
    const early = Buffer.from(flip(first) + hash.slice(1)).toString();
    const late = Buffer.from(hash.slice(0, -1) + flip(last)).toString();
    const isEarlyFirst = ((randomBytes(1)[0] as number) & 1) === 0;
    const [one, two] = isEarlyFirst ? [early, late] : [late, early];
    const [oneNs, twoNs] = [time(hash, one), time(hash, two)];
    // The first tenth only warms up the compiler.
    if (pair > pairs * 0.1) differences.push(isEarlyFirst ? twoNs - oneNs : oneNs - twoNs);
  }
  expect(equal).toBe(0);
  return differences;
};

/** Standard errors between the mean and zero, without the largest and the smallest tenth (Yuen: trimmed mean, winsorised variance). */
const tOf = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const cut = Math.floor(sorted.length / 10);
  const middle = sorted.slice(cut, sorted.length - cut);
  const [lowest, highest] = [middle[0] as number, middle.at(-1) as number];
  const winsorised = sorted.map((value) => Math.min(Math.max(value, lowest), highest));
  const standardError = Math.sqrt(varianceOf(winsorised) / sorted.length) / (middle.length / sorted.length);
  return meanOf(middle) / standardError;
};

const meanOf = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const varianceOf = (values: number[]): number => {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
};
