import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FileResult, readResults, writeResults } from './results.ts';
import { missingPrograms, subjectOf } from './sets.ts';
import type { TestSet } from './testSet.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** In CI, where a missing program is a failure instead of a test left to CI. */
const isComplete = process.env.TEST_COMPLETE === '1';

/** One run of a set of tests, and the folder for what its files share. */
export interface TestRun {
  scratch: string;
  /** Where the tests note each statement that they send to a database. */
  statements: string;
  /** Runs these test files. */
  vitest(files: readonly string[], env?: Record<string, string>, args?: readonly string[]): Promise<void>;
  /** Runs the contracts' tests. */
  forge(set: TestSet, name: string, args: readonly string[], env?: Record<string, string>): Promise<void>;
  /** Runs a command of which only the exit code counts. Tests wait for it, so it goes first where this account may say so. */
  check(name: string, command: string, args: readonly string[], cwd?: string): Promise<void>;
  /** Does a part of the run; one that throws has failed, and the others go on. */
  attempt(name: string, work: () => Promise<unknown>): Promise<void>;
  record(result: Partial<FileResult> & Pick<FileResult, 'file' | 'subject'>): void;
  /** Says what is left to CI for want of a program; in CI that is a failure. */
  lacks(program: string, packageName: string, left: string): void;
  /** Prints verdict and total, removes the folder, and sets the exit code. */
  finish(options?: { mayBeEmpty: boolean }): void;
}

export const startRun = (set: TestSet): TestRun => {
  const scratch = mkdtempSync(join(tmpdir(), 'mintage-test-'));
  const started = Date.now();
  process.env.TEST_RESULTS ??= join(scratch, 'results');
  const results = process.env.TEST_RESULTS;
  const statements = join(results, 'statements');
  mkdirSync(statements, { recursive: true });
  /**
   * Tests start hundreds of processes and chains. So these compile the same sources once, collect young objects less often, and deploy
   * to each chain once.
   */
  const shared = {
    TEST_SET: set,
    PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
    NODE_COMPILE_CACHE: join(scratch, 'compiled'),
    NODE_OPTIONS: `--max-semi-space-size=64 ${process.env.NODE_OPTIONS ?? ''}`.trim(),
    TEST_CHAIN_TEMPLATES: join(scratch, 'chains'),
  };
  const record: TestRun['record'] = (result) =>
    writeResults([{ set, seconds: 0, cpuSeconds: 0, passed: 0, failed: 0, skipped: 0, failures: [], ...result }]);

  const run = (command: string, args: readonly string[], { cwd = '.', env = {}, quiet = false } = {}) =>
    new Promise<{ code: number; output: string; seconds: number }>((resolve, reject) => {
      const began = Date.now();
      const child = spawn(command, args, {
        cwd: join(root, cwd),
        env: { ...process.env, ...shared, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          output += chunk;
          if (!quiet) process.stdout.write(chunk);
        });
      child.once('error', reject);
      child.once('close', (code) => resolve({ code: code ?? 1, output, seconds: (Date.now() - began) / 1_000 }));
    });

  const attempt: TestRun['attempt'] = async (name, work) => {
    try {
      await work();
    } catch (error) {
      console.error(error);
      record({ file: name, subject: name, failed: 1, failures: [String(error)] });
    }
  };

  return {
    scratch,
    attempt,
    statements,
    record,
    lacks(program, packageName, left) {
      const sentence = `${program} (Debian's ${packageName}) is not here`;
      if (isComplete) record({ file: program, subject: 'programs', failed: 1, failures: [`${sentence}: ${left}`] });
      else console.log(`Left to CI, because ${sentence}: ${left}`);
    },
    async vitest(files, env = {}, args = []) {
      const reporters = ['default', './scripts/testing/reporter.ts'].map((reporter) => `--reporter=${reporter}`);
      // Its own results in a folder of their own: another run's failure is none of this one.
      const own = mkdtempSync(join(scratch, 'vitest-'));
      const noted = { TEST_STATEMENTS: statements, ...env, TEST_RESULTS: own };
      const { code } = await run('vitest', ['run', ...reporters, ...args, ...files], { env: noted });
      const told = readResults(own);
      writeResults(told);
      const took = new Set(told.map(({ file }) => file));
      for (const file of files.filter((one) => !took.has(one)))
        record({ file, subject: subjectOf(file), failed: 1, failures: ['It was not run.'] });
      const hasFailed = told.some(({ failed }) => failed > 0);
      if (code !== 0 && !hasFailed)
        record({ file: 'vitest', subject: 'vitest', failed: 1, failures: [`It ended with ${code}.`] });
    },
    async forge(of, name, args, env = {}) {
      const { code, output, seconds } = await run('forge', ['test', ...args], {
        cwd: 'packages/contracts',
        env,
        quiet: true,
      });
      const summary = output.match(/: (\d+) tests passed, (\d+) failed, (\d+) skipped/);
      const [passed, failed, skipped] = [1, 2, 3].map((group) => Number(summary?.[group] ?? 0)) as [
        number,
        number,
        number,
      ];
      const failures = [...new Set(output.match(/^\[FAIL.*$/gm) ?? [])];
      const isGood = code === 0 && passed > 0; // forge is content to find no test
      record({
        file: name,
        set: of,
        subject: 'contracts',
        seconds,
        passed,
        failed: isGood ? failed : Math.max(failed, 1),
        skipped,
        failures,
      });
      console.log(`${isGood ? '✓' : '✗'} ${name}: ${passed} passed, ${failed} failed (${Math.round(seconds)} s)`);
      if (!isGood) console.log(output);
    },
    async check(name, command, args, cwd = '.') {
      const first = ['-n', '-10', command, ...args]; // `nice` only warns where it may not
      const { code, output, seconds } = await run('nice', first, { cwd, quiet: true });
      record({ file: name, subject: name, seconds, [code === 0 ? 'passed' : 'failed']: 1 });
      console.log(`${code === 0 ? '✓' : '✗'} ${name} (${Math.round(seconds)} s)`);
      if (code !== 0) console.log(output);
    },
    finish({ mayBeEmpty } = { mayBeEmpty: false }) {
      const own = readResults(results).filter((result) => result.set === set);
      rmSync(scratch, { recursive: true, force: true });
      if (set === 'deep') printSubjects(own);
      printFailures(own);
      console.log(`\nTook ${Math.round((Date.now() - started) / 1_000)} s.`);
      const totals = total(own);
      const skipped = own.reduce((sum, result) => sum + result.skipped, 0);
      if (skipped > 0) console.log(`${skipped} were not run, most because a hook failed.`);
      console.log(`${totals.passed} passed, ${totals.failed} failed`);
      process.exitCode = totals.failed === 0 && (totals.passed > 0 || mayBeEmpty) ? 0 : 1;
    },
  };
};

/** Leaves out the files that start a program which this machine lacks; in CI that is a failure. */
export const withoutMissing = (run: TestRun, files: readonly string[]): string[] => {
  const missing = missingPrograms(files);
  for (const { program, files: left } of missing) run.lacks(program.name, program.package, left.join(', '));
  const left = new Set(missing.flatMap((one) => one.files));
  return files.filter((path) => !left.has(path));
};

export const total = (results: readonly FileResult[]): { passed: number; failed: number } => ({
  passed: results.reduce((sum, { passed }) => sum + passed, 0),
  failed: results.reduce((sum, { failed }) => sum + failed, 0),
});

export const printFailures = (results: readonly FileResult[]): void => {
  const failed = results.filter((result) => result.failed > 0);
  if (failed.length > 0) console.log('\nFailed:');
  for (const { file, failures } of failed) console.log([file, ...failures.map((failure) => `  ${failure}`)].join('\n'));
};

const printSubjects = (results: readonly FileResult[]): void => {
  console.log('\nBy subject:');
  for (const [subject, files] of Object.entries(Object.groupBy(results, ({ subject: name }) => name))) {
    const { passed, failed } = total(files ?? []);
    const seconds = Math.round((files ?? []).reduce((sum, file) => sum + file.seconds, 0));
    console.log(
      `${failed === 0 ? '✓' : '✗'} ${subject}: ${passed} passed, ${failed} failed, ${seconds} s in ${files?.length} files`,
    );
  }
};
