import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { ReportedHookContext, Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';
import type { Heartbeat } from './heartbeat.ts';
import { processTree } from './processTree.ts';
import { type FileResult, firstLine, writeResults } from './results.ts';
import { subjectOf } from './sets.ts';
import type { TestSet } from './testSet.ts';

/** Of the run: the second database has quick files too. */
const set: TestSet = process.env.TEST_SET === 'deep' ? 'deep' : 'quick';
/** How long a worker may be silent, or a file may load, before its process is ended. */
const silentMs = 120_000;

/**
 * Keeps what each file took and found, for the totals of a run. When a test or hook times out, it prints what the file had open. The second time
 * in one file, or when a worker is blocked or never finishes loading, it ends that worker; the other files go on in a new one.
 */
export default class FileReporter implements Reporter {
  readonly #heartbeats = mkdtempSync(join(tmpdir(), 'mintage-heartbeats-'));
  /** What each running file does now, and since when. */
  readonly #doing = new Map<string, { what: string; since: number }>();
  /** How often a running file has timed out. */
  readonly #timeouts = new Map<string, number>();
  readonly #results: FileResult[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  onInit(): void {
    process.env.TEST_HEARTBEATS = this.#heartbeats; // the workers inherit it
    this.#timer = setInterval(() => this.#endBlocked(), 10_000);
    this.#timer.unref();
  }
  onTestModuleQueued(module: TestModule): void {
    this.#does(module, 'loading');
  }
  onTestModuleCollected(module: TestModule): void {
    this.#does(module, 'between tests');
  }
  onHookStart({ name, entity }: ReportedHookContext): void {
    this.#does('module' in entity ? entity.module : entity, `${name} of ${nameOf(entity)}`);
  }
  onTestSuiteResult(suite: TestSuite): void {
    this.#tellTimeout(suite.module, suite.fullName, suite.errors());
  }
  onTestCaseReady(test: TestCase): void {
    this.#does(test.module, test.fullName);
  }
  onTestCaseResult(test: TestCase): void {
    this.#tellTimeout(test.module, test.fullName, test.result().errors);
    this.#does(test.module, 'between tests');
  }
  onTestModuleEnd(module: TestModule): void {
    this.#tellTimeout(module, this.#doing.get(fileOf(module))?.what ?? '', module.errors());
    this.#doing.delete(fileOf(module));
    this.#results.push(resultOf(module, this.#heartbeatsOfFiles().get(fileOf(module))?.cpuSeconds));
  }
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    clearInterval(this.#timer);
    rmSync(this.#heartbeats, { recursive: true, force: true });
    const ended = new Set(this.#results.map(({ file }) => file));
    // A file whose worker was ended has no end of its own.
    this.#results.push(...modules.map((module) => resultOf(module)).filter(({ file }) => !ended.has(file)));
    if (unhandled.length > 0) this.#results.push(outsideOfTests(unhandled));
    writeResults(this.#results);
  }

  #does(module: TestModule, what: string): void {
    this.#doing.set(fileOf(module), { what, since: Date.now() });
  }

  #heartbeatsOfFiles(): Map<string, Heartbeat> {
    const names = readdirSync(this.#heartbeats).filter((name) => !name.endsWith('.new'));
    const read = names.map((name) => readFileSync(join(this.#heartbeats, name), 'utf8'));
    const beats = read.map((text) => JSON.parse(text) as Heartbeat);
    return new Map(beats.map((beat) => [relative(process.cwd(), beat.file), beat]));
  }

  #tellTimeout(module: TestModule, what: string, errors: readonly { message: string }[] = []): void {
    if (!errors.some(({ message }) => / timed out in /.test(message))) return;
    const file = fileOf(module);
    const beat = this.#heartbeatsOfFiles().get(file);
    console.log(`\nTimed out: ${file} > ${what}\n  It had open: ${beat?.open.join('; ') || 'nothing'}`);
    const times = (this.#timeouts.get(file) ?? 0) + 1;
    this.#timeouts.set(file, times);
    if (times > 1 && beat !== undefined && this.#doing.delete(file)) endTree(beat.pid);
  }

  #endBlocked(): void {
    const beats = this.#heartbeatsOfFiles();
    for (const [file, { what, since }] of this.#doing) {
      const beat = beats.get(file);
      if (process.env.TEST_AT_SIZE === '1') continue; // one computation may be that long
      const isSilent = beat !== undefined && Date.now() - beat.at > silentMs;
      const isStuck = what === 'loading' && beat !== undefined && Date.now() - since > silentMs;
      if (!isSilent && !isStuck) continue;
      console.log(
        `\nEnded after ${silentMs / 1_000} s: ${file} > ${what}\n  It had open: ${beat.open.join('; ') || 'nothing'}`,
      );
      this.#doing.delete(file);
      endTree(beat.pid);
    }
  }
}

/** What a worker started would outlive it. */
const endTree = (worker: number): void => {
  for (const pid of new Set([worker, ...processTree(worker).map((one) => one.pid)])) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it ended by itself
    }
  }
};

/** Errors that belong to no test: of a promise that was not awaited, or of a worker that did not start. */
const outsideOfTests = (errors: readonly SerializedError[]): FileResult => ({
  file: 'outside of every test',
  set,
  subject: 'unhandled errors',
  seconds: 0,
  cpuSeconds: 0,
  passed: 0,
  failed: errors.length,
  skipped: 0,
  failures: errors.map(({ message }) => firstLine(message)),
});

const fileOf = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId);
const nameOf = (entity: ReportedHookContext['entity']): string => ('fullName' in entity ? entity.fullName : 'the file');

const resultOf = (module: TestModule, cpuSeconds = 0): FileResult => {
  const tests = [...module.children.allTests()];
  const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
  const file = fileOf(module);
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  const failed = count('failed');
  return {
    file,
    set,
    // A file that runs once more, on another database, is told apart.
    subject: process.env.TEST_SUBJECT ?? subjectOf(file),
    seconds: (duration + collectDuration + setupDuration) / 1_000,
    cpuSeconds,
    passed: count('passed'),
    // A file that cannot be loaded, or whose hook fails, has failed although none of its tests has.
    failed: failed === 0 && module.state() !== 'passed' && module.state() !== 'skipped' ? 1 : failed,
    skipped: count('skipped'),
    failures: [
      ...tests.filter((test) => test.result().state === 'failed').map(({ fullName }) => fullName),
      ...[module, ...module.children.allSuites()].flatMap((one) =>
        one.errors().map(({ message }) => firstLine(message)),
      ),
    ],
  };
};
