import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { ReportedHookContext, Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import type { Heartbeat } from './heartbeat.ts';
import { processTree } from './processTree.ts';
import { type FileResult, writeResults } from './results.ts';
import { subjectOf } from './sets.ts';
import { setOf } from './testSet.ts';

/** How long a worker may be silent, or a file may load, before its process is ended. */
const silentMs = 120_000;

/**
 * Keeps what each file took and found, for the totals of a run. A file that times out is told with what it had open, and one whose
 * worker is blocked, or that never finishes loading, has that worker ended: the other files go on in a new one.
 */
export default class FileReporter implements Reporter {
  readonly #heartbeats = mkdtempSync(join(tmpdir(), 'mintage-heartbeats-'));
  /** What each running file does now, and since when. */
  readonly #doing = new Map<string, { what: string; since: number }>();
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
  onTestCaseReady(test: TestCase): void {
    this.#does(test.module, test.fullName);
  }
  onTestCaseResult(test: TestCase): void {
    this.#tellTimeout(test.module, test.fullName, test.result().errors);
    this.#does(test.module, 'between tests');
  }
  onTestModuleEnd(module: TestModule): void {
    this.#tellTimeout(module, this.#doing.get(fileOf(module))?.what ?? '', module.errors());
    for (const suite of module.children.allSuites()) this.#tellTimeout(module, suite.fullName, suite.errors());
    this.#doing.delete(fileOf(module));
    this.#results.push(resultOf(module, this.#heartbeatsOfFiles().get(fileOf(module))?.cpuSeconds));
  }
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    clearInterval(this.#timer);
    rmSync(this.#heartbeats, { recursive: true, force: true });
    const ended = new Set(this.#results.map(({ file }) => file));
    // A file whose worker was ended has no end of its own.
    this.#results.push(...modules.map((module) => resultOf(module)).filter(({ file }) => !ended.has(file)));
    writeResults(this.#results, unhandled.length);
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
    const open = this.#heartbeatsOfFiles().get(fileOf(module))?.open ?? [];
    console.log(`\nTimed out: ${fileOf(module)} > ${what}\n  It had open: ${open.join('; ') || 'nothing'}`);
  }

  #endBlocked(): void {
    const beats = this.#heartbeatsOfFiles();
    for (const [file, { what, since }] of this.#doing) {
      const beat = beats.get(file);
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
    set: process.env.TEST_SUBJECT === undefined ? setOf(file) : 'deep',
    // A file that runs once more, on another database, is told apart.
    subject: process.env.TEST_SUBJECT ?? subjectOf(file),
    seconds: (duration + collectDuration + setupDuration) / 1_000,
    cpuSeconds,
    passed: count('passed'),
    // A file that cannot be loaded, or whose hook fails, has failed although none of its tests has.
    failed: failed === 0 && module.state() !== 'passed' && module.state() !== 'skipped' ? 1 : failed,
    skipped: count('skipped'),
    failures: tests.filter((test) => test.result().state === 'failed').map(({ fullName }) => fullName),
  };
};
