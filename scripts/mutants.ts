/**
 * `npm run mutants`: plants every bug of mutations.ts in a copy of the contracts, one at a time, and shows its test red.
 * Exits 1 when a bug survives, or when a mutation no longer fits its source. `-- C7 test_paid` runs this id and these tests only; `--check`
 * plants nothing and says only whether every mutation fits, its test exists, and every proved C id has one.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Mutation, mutations } from './mutations.ts';
import { readMarks } from './threatMarks.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const contracts = join(root, 'packages/contracts');
/** Of the random tests, so that a run repeats. */
const fuzzSeed = '0x5eed';

type Verdict = 'red' | 'GREEN' | 'DOES NOT COMPILE';

/** A folder with the contracts and their tests, and the repository's dependencies by a link. */
const copyContracts = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-mutants-'));
  const copy = join(folder, 'packages/contracts');
  mkdirSync(copy, { recursive: true });
  for (const part of ['src', 'test', 'tools', 'foundry.toml'])
    cpSync(join(contracts, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  symlinkSync(join(root, 'vectors'), join(folder, 'vectors'));
  return folder;
};

/**
 * The settings compile fast: tests load contracts from `out`, so a planted bug compiles its own file only, and plainly. A
 * sequence of calls that broke an invariant is not made shorter. Each random test has twice the cases of `npm test`.
 */
const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
  FOUNDRY_DYNAMIC_TEST_LINKING: 'true',
  FOUNDRY_OPTIMIZER: 'false',
  FOUNDRY_LINT_LINT_ON_BUILD: 'false',
  FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0',
  FOUNDRY_FUZZ_RUNS: '256',
};

const forgeTest = (copy: string, chosen: Mutation[]): string => {
  const files = [...new Set(chosen.map(({ testFile }) => testFile))];
  const path = files.length === 1 ? `test/${files[0]}` : `test/{${files.join(',')}}`;
  const tests = `^(${[...new Set(chosen.map(({ test }) => test))].join('|')})\\(`;
  const args = ['test', '--match-path', path, '--match-test', tests, '--fuzz-seed', fuzzSeed];
  const { stdout, stderr, error } = spawnSync('forge', args, { cwd: copy, env, encoding: 'utf8' });
  if (error) throw error;
  return `${stdout}${stderr}`;
};

/** Between the reason and an invariant's name stands the sequence of calls that broke it. */
const failed = (output: string, { test, says = '' }: Mutation) =>
  output.split('\n').some((line) => line.includes('[FAIL') && line.includes(says)) && output.includes(` ${test}(`);
const passed = (output: string, test: string) => output.includes(`[PASS] ${test}(`);

/** A red test says something only if it is green without the bug. */
const requireGreen = (copy: string, chosen: Mutation[]): void => {
  const output = forgeTest(copy, chosen);
  const notGreen = chosen.filter(({ test }) => !passed(output, test));
  if (notGreen.length > 0)
    throw new Error(`Not green without any bug: ${notGreen.map(({ test }) => test).join(', ')}\n${output}`);
};

/** forge replays what failed before, so one bug's red would be another one's sequence of calls. */
const forgetFailures = (copy: string): void => {
  for (const kept of ['invariant', 'fuzz']) rmSync(join(copy, 'cache', kept), { recursive: true, force: true });
};

const verdictOn = (copy: string, mutation: Mutation): Verdict => {
  const output = forgeTest(copy, [mutation]);
  if (failed(output, mutation)) return 'red';
  if (passed(output, mutation.test)) return 'GREEN';
  console.error(output);
  return 'DOES NOT COMPILE';
};

const sourceOf = ({ file }: Mutation, folder = contracts) => join(folder, 'src', file);
const plant = (mutation: Mutation, source: string) => source.replace(mutation.from, () => mutation.to);

/** What keeps the table from being run as it stands. */
const tableErrors = (): string[] => {
  const errors = mutations.flatMap((mutation) => {
    const { id, bug, from, testFile, test } = mutation;
    const found = readFileSync(sourceOf(mutation), 'utf8').split(from).length - 1;
    const tests = readFileSync(join(contracts, 'test', testFile), 'utf8');
    return [
      ...(found === 1 ? [] : [`${id} "${bug}": its text occurs ${found} times in ${mutation.file}`]),
      ...(tests.includes(`function ${test}(`) ? [] : [`${id} "${bug}": no test ${test} in ${testFile}`]),
      ...(new RegExp(`_${id}_`).test(test) ? [] : [`${id} "${bug}": ${test} does not bear the id`]),
    ];
  });
  const mutated = new Set(mutations.map(({ id }) => id));
  for (const [id, mark] of Object.entries(readMarks()))
    if (/^C\d+$/.test(id) && 'proved' in mark && !mutated.has(id)) errors.push(`${id} is proved but has no mutation`);
  return errors;
};

const secondsSince = (started: number) => `${((Date.now() - started) / 1000).toFixed(0)} s`;

const runAll = (chosen: Mutation[]): number => {
  const folder = copyContracts();
  const copy = join(folder, 'packages/contracts');
  let bad = 0;
  try {
    requireGreen(copy, chosen);
    for (const mutation of chosen) {
      const started = Date.now();
      const path = sourceOf(mutation, copy);
      const source = readFileSync(path, 'utf8');
      forgetFailures(copy);
      writeFileSync(path, plant(mutation, source));
      const verdict = verdictOn(copy, mutation);
      writeFileSync(path, source);
      if (verdict !== 'red') bad += 1;
      const seconds = secondsSince(started);
      console.log(
        `${mutation.id.padEnd(4)} ${verdict.padEnd(5)} ${mutation.bug.padEnd(60)} ${mutation.test} ${seconds}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return bad;
};

const errors = tableErrors();
for (const error of errors) console.error(error);
if (errors.length > 0) process.exitCode = 1;
else if (process.argv.includes('--check')) console.log(`mutants: ${mutations.length} mutations fit their sources`);
else {
  const words = process.argv.slice(2);
  // By file, because every change of file compiles twice: the bug, and the file that is good again.
  const chosen = mutations
    .filter(({ id, test }) => words.length === 0 || words.some((word) => word === id || test.startsWith(word)))
    .toSorted((a, b) => a.file.localeCompare(b.file));
  const started = Date.now();
  const survivors = runAll(chosen);
  const red = chosen.length - survivors;
  console.log(`\n${red} of ${chosen.length} mutants red in ${secondsSince(started)} (fuzz seed ${fuzzSeed}).`);
  if (survivors > 0 || chosen.length === 0) process.exitCode = 1;
}
