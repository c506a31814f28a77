/**
 * `npm test`: the quick set, which ends with "N passed, N failed": every test file whose name does not end in `.deep.test.ts`, and the contracts'
 * tests. With words, the files of this set whose path has one of them; with `--changed`, what the working tree's changes touch.
 *
 * It installs nothing: what needs a program that is not here is named and left to CI.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { root, startRun, type TestRun, withoutMissing } from './testing/run.ts';
import { testFiles } from './testing/sets.ts';
import { reachOf } from './testKinds.ts';

const { values, positionals: words } = parseArgs({ allowPositionals: true, options: { changed: { type: 'boolean' } } });

const isNamed = (path: string): boolean => words.length === 0 || words.some((word) => path.includes(word));

/** Reads what the compiler made of the contracts. */
const readsCompiled = (path: string): boolean => reachOf(path).has('packages/devnet/src/compiledContract.ts');

/** Gas that differs from the committed snapshots fails. */
const contracts = (run: TestRun): Promise<void> =>
  run.forge('quick', 'forge test', [], { FORGE_SNAPSHOT_CHECK: 'true' });

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

const run = startRun('quick');
const files = withoutMissing(run, testFiles('quick').filter(isNamed));
if (values.changed) {
  const changed = new Set([
    ...git('diff', '--name-only', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]);
  const hasContracts = [...changed].some((path) =>
    /^(packages\/contracts\/.*\.(sol|toml|cjs)|vectors\/.*)$/.test(path),
  );
  const isTouched = (path: string): boolean => [...reachOf(path)].some((file) => changed.has(file));
  const touched = files.filter((path) => isTouched(path) || (hasContracts && readsCompiled(path)));
  if (hasContracts) await contracts(run);
  if (touched.length > 0) await run.vitest(touched);
  run.finish({ mayBeEmpty: true });
} else {
  const late = files.filter(readsCompiled);
  const early = files.filter((path) => !late.includes(path));
  const others = async () => early.length > 0 && (await run.vitest(early));
  const compiled = async () => {
    const tested = words.length === 0 || isNamed('contracts');
    if (!tested && late.length === 0) return;
    await run.check('forge build', 'forge', ['build', '--quiet'], 'packages/contracts');
    await Promise.all([late.length > 0 && run.vitest(late, { TEST_CONTRACTS: 'compiled' }), tested && contracts(run)]);
  };
  await Promise.all([run.attempt('contracts', compiled), run.attempt('quick tests', others)]);
  run.finish();
}
