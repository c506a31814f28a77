import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** How often it is looked, and how long a test may run before it is named, milliseconds. */
const everyMs = 120_000;

/**
 * Names what has been running for minutes, so that a run that hangs, or is ended from outside, has said where. A file without a test
 * under way is in a hook, or between two tests.
 */
export default class StillRunning implements Reporter {
  readonly #since = new Map<string, number>();
  #timer: ReturnType<typeof setInterval> | undefined;

  onTestRunStart(): void {
    this.#timer = setInterval(() => this.#tell(), everyMs);
    this.#timer.unref();
  }
  onTestModuleStart(module: TestModule): void {
    this.#since.set(fileOf(module), performance.now());
  }
  onTestModuleEnd(module: TestModule): void {
    this.#since.delete(fileOf(module));
  }
  onTestCaseReady(test: TestCase): void {
    this.#since.set(nameOf(test), performance.now());
  }
  onTestCaseResult(test: TestCase): void {
    this.#since.delete(nameOf(test));
  }
  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #tell(): void {
    const now = performance.now();
    for (const [name, since] of this.#since)
      if (now - since >= everyMs) console.log(`… for ${Math.round((now - since) / 1_000)} s: ${name}`);
  }
}

const fileOf = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId);
const nameOf = (test: TestCase): string => `${fileOf(test.module)} > ${test.fullName}`;
