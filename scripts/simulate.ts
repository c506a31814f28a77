/**
 * `npm run simulate -- --reorgs 500 --kills 100 [--seed S]`: the simulation of packages/server/test/index as a big run. Half of
 * the reorgs, and every kill -9, are on real local chains, the others on a chain in memory; every table of the indexer is
 * compared with a rebuild every few steps. Prints what happened; exits 1 at the first difference, with its seed. A release
 * has 5,000 reorgs and 500 kills.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { anvilGround } from '../packages/server/test/index/simulation/anvilGround.ts';
import type { Ground } from '../packages/server/test/index/simulation/ground.ts';
import { nothing, type Outcome, type Plan, simulate } from '../packages/server/test/index/simulation/simulate.ts';
import { syntheticGround } from '../packages/server/test/index/simulation/syntheticGround.ts';

/** A new chain after so many reorgs: a rebuild of a longer one takes longer. */
const reorgsOfAChain = 25;

const { values } = parseArgs({
  options: {
    reorgs: { type: 'string', default: '500' },
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    ground: { type: 'string', default: 'both' },
  },
});
const [reorgs, kills, firstSeed] = [Number(values.reorgs), Number(values.kills), Number(values.seed)];
const folder = mkdtempSync(join(tmpdir(), 'mintage-simulate-'));

const grounds: Record<string, (seed: number) => Ground | Promise<Ground>> = {
  'real chain': (seed) => anvilGround(seed, folder),
  'chain in memory': (seed) => syntheticGround(seed),
};

/** As many chains as the wanted reorgs and kills need, and the sum of what happened on them. */
const run = async (kind: string, wanted: { reorgs: number; kills: number }): Promise<Outcome> => {
  const chains = Math.max(1, Math.ceil(wanted.reorgs / reorgsOfAChain));
  const share = (whole: number, i: number): number =>
    Math.floor((whole * (i + 1)) / chains) - Math.floor((whole * i) / chains);
  let total = nothing;
  for (let i = 0; i < chains; i += 1) {
    const plan: Plan = { seed: firstSeed + i, reorgs: share(wanted.reorgs, i), kills: share(wanted.kills, i) };
    const ground = await (grounds[kind] as (typeof grounds)[string])(plan.seed);
    try {
      total = sumOf(total, await simulate(ground, plan));
    } finally {
      await ground.stop();
    }
    console.log(`${kind}, seed ${plan.seed}: ${wordsOf(total)}`);
  }
  return total;
};

const sumOf = (one: Outcome, other: Outcome): Outcome => {
  const sum = { ...one };
  for (const name of Object.keys(sum) as (keyof Outcome)[])
    sum[name] = name === 'deepest' ? Math.max(one[name], other[name]) : one[name] + other[name];
  return sum;
};

const wordsOf = (outcome: Outcome): string =>
  [
    `${outcome.reorgs} reorgs, ${outcome.undone} undone, deepest ${outcome.deepest}`,
    `${outcome.kills} kills (${outcome.midWrite} inside a transaction), ${outcome.restarts} restarts, ${outcome.troubles} troubles`,
    `${outcome.comparisons} comparisons of all tables, ${outcome.rows} rows in the last ones, 0 differences`,
  ].join('; ');

try {
  const real = values.ground === 'memory' ? 0 : values.ground === 'real' ? reorgs : Math.ceil(reorgs / 2);
  const outcomes: Outcome[] = [];
  if (real > 0 || kills > 0) outcomes.push(await run('real chain', { reorgs: real, kills }));
  if (reorgs > real) outcomes.push(await run('chain in memory', { reorgs: reorgs - real, kills: 0 }));
  console.log(`together: ${wordsOf(outcomes.reduce(sumOf, nothing))}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
