/**
 * Loaded into every worker, so that a hang ends its own file. In a run that has the reporter, a worker writes every ten seconds what it
 * has open into a file of its own, in the folder `TEST_HEARTBEATS`. The reporter reads there what a test waited for when it timed out, and
 * which worker is blocked.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { openHandles } from './openHandles.ts';
import { spentCpuSeconds } from './processTree.ts';

export interface Heartbeat {
  pid: number;
  /** Milliseconds. */
  at: number;
  /** The test file, absolute. */
  file: string;
  /** What the worker and all that it started have used since the file began. */
  cpuSeconds: number;
  /** Open connections, listening servers and running child processes, in words. */
  open: string[];
}

const everyMs = 10_000;
const beating = Symbol.for('mintage.heartbeat');
const folder = process.env.TEST_HEARTBEATS;
const worker = globalThis as { [beating]?: () => void };

/** Vitest says it to a worker only. */
const fileUnderTest = (): string =>
  (Reflect.get(globalThis, '__vitest_worker__') as { filepath?: string } | undefined)?.filepath ?? '';

/** A file's content is replaced at once: the reporter never reads half of it. */
const beat = (): void => {
  const heartbeat: Heartbeat = {
    pid: process.pid,
    at: Date.now(),
    file: fileUnderTest(),
    cpuSeconds: spentCpuSeconds() - spentBefore,
    open: [...new Set(openHandles())],
  };
  const file = join(folder as string, String(process.pid));
  writeFileSync(`${file}.new`, JSON.stringify(heartbeat));
  renameSync(`${file}.new`, file);
};

// Runs again for every file of a worker.
const spentBefore = folder ? spentCpuSeconds() : 0;
if (folder) {
  if (!worker[beating]) setInterval(() => worker[beating]?.(), everyMs).unref();
  worker[beating] = beat;
  beat();
  afterAll(beat);
}

/** What a test, a poll, `until` and a page in a browser say when they waited in vain. */
const inVain = /timed out in|did not succeed in time|in vain until|Timeout \d+ms exceeded/;
let hung: string | null = null;

// All tests of a file use the same world: if one waited in vain, the others would too.
beforeEach(() => {
  if (hung !== null) throw new Error(`Not run: "${hung}" waited in vain earlier in this file`);
});
afterEach(({ task }) => {
  const said = task.result?.errors?.map(({ message, cause }) => `${message} ${cause?.message}`);
  if (said?.some((words) => inVain.test(words))) hung ??= task.name;
});
