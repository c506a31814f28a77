import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/sign/policy/policy.ts';
import { randomWish } from './randomWishes.ts';
import { secondOpinion } from './secondOpinion.ts';

/** `CASES` and `SEED` in the environment make it long and repeat it. */
const cases = Number(process.env.CASES ?? 8_000);
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

describe('judge', () => {
  it('W4 a second evaluator says the same of random policies and transactions', () => {
    console.log(`two evaluators of what is signed: SEED=${seed} CASES=${cases}`);
    const seen = { allowed: 0, refused: 0, counted: 0, limited: 0, allowedWithout: 0, refusedWithout: 0 };
    fc.assert(
      fc.property(randomWish, ({ steps, budget, world, limits, facts }) => {
        const verdict = judge(steps, budget, world);
        const first = 'refusal' in verdict ? 'refused' : verdict.usd18;
        expect(first).toBe(secondOpinion(steps, limits, facts));
        seen.limited += budget === null ? 0 : 1;
        seen.refused += first === 'refused' ? 1 : 0;
        seen.allowed += first === 'refused' || budget === null ? 0 : 1;
        seen.allowedWithout += first !== 'refused' && budget === null ? 1 : 0;
        seen.refusedWithout += first === 'refused' && budget === null ? 1 : 0;
        seen.counted += typeof first === 'bigint' && first > 0n ? 1 : 0;
      }),
      { numRuns: cases, seed },
    );
    console.log(JSON.stringify(seen));
    // A comparison of refusals alone would say little. Of 8,000 cases about 176 are counted, give or take 13.
    expect(seen.allowed).toBeGreaterThan(cases / 20);
    expect(seen.counted).toBeGreaterThan(cases / 80);
    expect(seen.refused).toBeGreaterThan(cases / 20);
    expect(seen.allowedWithout).toBeGreaterThan(cases / 40);
    expect(seen.refusedWithout).toBeGreaterThan(cases / 40);
  });
});
