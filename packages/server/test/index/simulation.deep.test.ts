import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anvilGround } from './simulation/anvilGround.ts';
import type { Ground } from './simulation/ground.ts';
import { simulate } from './simulation/simulate.ts';
import { syntheticGround } from './simulation/syntheticGround.ts';

/**
 * The big run of the same code is `npm run simulate -- --reorgs 500 --kills 100`. A seed that fails there becomes a case
 * here, with a line on the cause.
 */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mintage-simulation-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const on = async <T>(ground: Ground, work: (ground: Ground) => Promise<T>): Promise<T> => {
  try {
    return await work(ground);
  } finally {
    await ground.stop();
  }
};

describe('simulate', () => {
  test('I1 reorgs of depth 1 to 64 on the chain in memory: every table equals a rebuild', async () => {
    const plan = { seed: 1, reorgs: 25, kills: 0, compareEvery: 6 };
    const outcome = await on(syntheticGround(plan.seed), (ground) => simulate(ground, plan));
    expect(outcome.undone).toBeGreaterThan(15);
    expect(outcome.deepest).toBeGreaterThan(32);
  });

  test.each([
    ['PancakeSwap v3', 1],
    ['Uniswap v4', 2],
  ])(
    'I1 reorgs on a real chain with %s, a provider that lies, kill -9 of the process: every table equals a rebuild',
    async (_venue, seed) => {
      const plan = { seed, reorgs: 6, kills: 2, compareEvery: 6 };
      const outcome = await on(await anvilGround(plan.seed, folder), (ground) => simulate(ground, plan));
      expect(outcome.undone).toBeGreaterThan(3);
      expect(outcome.kills).toBe(2);
    },
  );
});
