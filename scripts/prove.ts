/**
 * `npm run prove -- --cases 10000000 [--seed S] [--resume]`: the differential suites of packages/protocol/test as a release
 * run. TypeScript and Solidity answer the same random cases: curve with fees and opening window, graduation, and pool
 * swaps on the real PoolManager and on the real pools of Uniswap v3 and PancakeSwap v3. Prints seed, cases per second and differences; exits 1 at the first difference, with its
 * case. Stopped, it goes on with `--resume`, from .mintage/prove.json.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { curveDifferential } from '../packages/protocol/test/curveDifferential.ts';
import { compareAll, Difference, type Differential } from '../packages/protocol/test/differential.ts';
import { graduationDifferential } from '../packages/protocol/test/graduationDifferential.ts';
import { poolDifferential } from '../packages/protocol/test/poolDifferential.ts';
import { poolV3Differential } from '../packages/protocol/test/poolV3Differential.ts';

/** Parts of a hundred. A pool case is three swaps in a row, and costs about as much as thirty of the curve. */
const shares = { curve: 79, pool: 10, uniswapV3: 5, pancakeV3: 5, graduation: 1 } as const;
type Suite = keyof typeof shares;
const suites = Object.keys(shares) as Suite[];

const progressFile = fileURLToPath(new URL('../.mintage/prove.json', import.meta.url));
const reportEveryMs = 10_000;

const Progress = z.strictObject({
  seed: z.int().min(0).max(0xffffffff),
  cases: z.int().positive(),
  /** Cases compared, by suite. */
  done: z.record(z.enum(suites), z.int().min(0)),
  seconds: z.number().min(0),
});
type Progress = z.output<typeof Progress>;

const begin = (): Progress => {
  const { values } = parseArgs({
    options: { cases: { type: 'string' }, seed: { type: 'string' }, resume: { type: 'boolean' } },
  });
  if (values.resume) {
    if (!existsSync(progressFile)) throw new Error('There is nothing to resume: start with --cases.');
    const progress = Progress.parse(JSON.parse(readFileSync(progressFile, 'utf8')));
    for (const name of ['cases', 'seed'] as const)
      if (values[name] !== undefined && Number(values[name]) !== progress[name])
        throw new Error(`The run to resume has --${name} ${progress[name]}, not ${values[name]}.`);
    return progress;
  }
  const cases = Number(values.cases ?? 10_000_000);
  const seed = Number(values.seed ?? Date.now() % 2 ** 32);
  const done = Object.fromEntries(suites.map((suite) => [suite, 0]));
  return Progress.parse({ seed, cases, done, seconds: 0 });
};

/** Moved into place whole, so that a run that is killed leaves a file that can be read. */
const save = (progress: Progress): void => {
  mkdirSync(new URL('.', `file://${progressFile}`), { recursive: true });
  writeFileSync(`${progressFile}.new`, `${JSON.stringify(progress)}\n`);
  renameSync(`${progressFile}.new`, progressFile);
};

const casesOf = (suite: Suite, cases: number): number => {
  const others = suites.filter((name) => name !== 'curve').map((name) => Math.ceil((cases * shares[name]) / 100));
  return suite === 'curve'
    ? cases - others.reduce((sum, part) => sum + part, 0)
    : Math.ceil((cases * shares[suite]) / 100);
};

const prove = async <Case>(suite: Suite, differential: Differential<Case>, progress: Progress): Promise<void> => {
  const { seed, done } = progress;
  const cases = casesOf(suite, progress.cases);
  if (done[suite] >= cases) return;
  console.log(`${suite.padEnd(10)} compiling`);
  const counterpart = await differential.start();
  const before = { seconds: progress.seconds, cases: done[suite] };
  const started = performance.now();
  let reported = started;
  const report = (): void => {
    const perSecond = (done[suite] - before.cases) / (progress.seconds - before.seconds);
    console.log(`${suite.padEnd(10)} ${done[suite]} of ${cases}, ${Math.round(perSecond)} cases/s, 0 differences`);
    save(progress);
  };
  try {
    await compareAll(differential, counterpart, {
      seed,
      cases,
      done: done[suite],
      onBatch: (_batch, _answers, compared) => {
        if (stopAsked) throw new Stopped();
        done[suite] = compared;
        progress.seconds = before.seconds + (performance.now() - started) / 1000;
        if (performance.now() - reported < reportEveryMs) return;
        reported = performance.now();
        report();
      },
    });
    report();
  } finally {
    save(progress);
    await counterpart.stop();
  }
};

class Stopped extends Error {}
let stopAsked = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stopAsked = true));

const main = async (): Promise<void> => {
  const progress = begin();
  console.log(`prove: --seed ${progress.seed} --cases ${progress.cases}`);
  save(progress);
  await prove('curve', curveDifferential, progress);
  await prove('pool', poolDifferential, progress);
  await prove('uniswapV3', poolV3Differential('uniswap'), progress);
  await prove('pancakeV3', poolV3Differential('pancake'), progress);
  await prove('graduation', graduationDifferential, progress);
  const { curve, pool, uniswapV3, pancakeV3, graduation } = progress.done;
  const total = curve + pool + uniswapV3 + pancakeV3 + graduation;
  const perSecond = Math.round(total / Math.max(progress.seconds, 0.001));
  console.log(
    `${total} cases (${curve} curve, ${pool} pool of three swaps, ${uniswapV3} and ${pancakeV3} on v3 exchanges, ${graduation} graduation) in ${Math.round(progress.seconds)} s, ${perSecond} cases/s, seed ${progress.seed}: 0 differences`,
  );
};

try {
  await main();
} catch (error) {
  process.exitCode = 1;
  if (error instanceof Difference) console.error(`\n1 difference. ${error.message}`);
  // Ctrl-C reaches the chain too, whose last answer is then missing.
  else if (stopAsked) console.error('Stopped. `npm run prove -- --resume` goes on.');
  else throw error;
}
