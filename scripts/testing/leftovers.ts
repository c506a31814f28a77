/**
 * Loaded into every worker, for quick tests. The files of a worker share its process, so what one leaves behind meets the next: a server that still
 * listens, a process that still runs, a variable of the environment, a clock that stands still. A file that leaves one fails, and says which.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, vi } from 'vitest';
import { openHandles } from './openHandles.ts';
import { setOf } from './testSet.ts';

/** What was told to end may take its time on a busy machine. */
const patienceMs = 20_000;

/** A connection ends with the process or server at its other end. */
const startedHere = (): string[] => openHandles().filter((line) => !line.startsWith('connection'));

/** Set for good by the packages of the browser and of pictures when they are loaded. */
const ofLibraries: readonly string[] = ['AWS_EXECUTION_ENV', 'FONTCONFIG_PATH', 'LD_LIBRARY_PATH', 'VIPSHOME'];

const changedVariables = (before: NodeJS.ProcessEnv): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(process.env)])]
    .filter((name) => before[name] !== process.env[name] && !ofLibraries.includes(name))
    .map((name) => `variable ${name}`);

// Runs again for every file, before the file itself is loaded.
const env = { ...process.env };
const handles = startedHere();
const { fetch } = globalThis;
/** A copy in its place would be an ordinary object: Node, and processes that it starts, would not see what is set in it. */
const environment = process.env;

const leftovers = (): string[] => [
  ...startedHere().filter((line) => !handles.includes(line)),
  ...changedVariables(env),
  ...(vi.isFakeTimers() ? ['fake timers'] : []),
  ...(globalThis.fetch === fetch ? [] : ['another fetch']),
  ...(process.env === environment ? [] : ['another process.env']),
];

afterAll(async () => {
  if (setOf(expect.getState().testPath ?? '') === 'deep') return;
  const untilMs = performance.now() + patienceMs;
  while (leftovers().length > 0 && performance.now() < untilMs) await sleep(50);
  expect(leftovers(), 'left behind for the next file of this worker').toEqual([]);
});
