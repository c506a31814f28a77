import { expect, test } from 'vitest';
import { compareAll, type Differential } from './differential.ts';

/** Doubles a number on both sides; `broken` is the one that the other side gets wrong. */
const doubling = (broken = -1n): Differential<bigint> => ({
  name: 'doubling',
  batchSize: 10,
  randomCase: (random) => random.between(0n, 10n ** 12n),
  typescript: (number) => String(number * 2n),
  start: async () => ({
    answers: async (numbers) => numbers.map((number) => String(number === broken ? number : number * 2n)),
    stop: async () => {},
  }),
});

const run = async (options: { cases: number; done?: number; broken?: bigint }): Promise<bigint[]> => {
  const differential = doubling(options.broken);
  const seen: bigint[] = [];
  const onBatch = (batch: bigint[]): unknown => seen.push(...batch);
  await compareAll(differential, await differential.start(), { seed: 7, onBatch, ...options });
  return seen;
};

test('compareAll compares as many different cases as asked for, the same for a seed', async () => {
  const all = await run({ cases: 45 });
  expect(new Set(all).size).toBe(45);
  expect(await run({ cases: 45 })).toEqual(all);
});

test('compareAll goes on where a run stopped, with the cases it would have had', async () => {
  const all = await run({ cases: 45 });
  expect(await run({ cases: 45, done: 20 })).toEqual(all.slice(20));
  expect(await run({ cases: 45, done: 45 })).toEqual(all.slice(40));
});

test('compareAll stops at the first difference and prints its case', async () => {
  const broken = (await run({ cases: 45 }))[33] as bigint;
  await expect(run({ cases: 45, broken })).rejects.toThrow(
    `doubling, batch 3: ${broken}n\n  TypeScript: ${broken * 2n}\n  Solidity:   ${broken}`,
  );
});
