import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestSet } from './testSet.ts';

/** What one file of tests, or one command that counts as one, took and found. */
export interface FileResult {
  file: string;
  set: TestSet | 'check';
  subject: string;
  /** From its start to its end, in a run where other files ran beside it. */
  seconds: number;
  /** Of the processes that it started too. */
  cpuSeconds: number;
  passed: number;
  failed: number;
  skipped: number;
  failures: string[];
}

/** Where the commands of one CI run leave their results for its last line; absent in a run by hand. */
const folder = (): string | undefined => process.env.TEST_RESULTS;

let written = 0;

/** @param unhandled - Errors that belong to no test; each counts as a failure. */
export const writeResults = (results: readonly FileResult[], unhandled = 0): void => {
  const into = folder();
  if (into === undefined) return;
  mkdirSync(into, { recursive: true });
  const outside: FileResult = {
    file: 'outside of every test',
    set: 'check',
    subject: 'unhandled errors',
    seconds: 0,
    cpuSeconds: 0,
    passed: 0,
    failed: unhandled,
    skipped: 0,
    failures: [],
  };
  written += 1;
  const all = unhandled === 0 ? results : [...results, outside];
  writeFileSync(join(into, `${process.pid}-${written}.json`), JSON.stringify(all));
};

export const readResults = (from: string): FileResult[] =>
  readdirSync(from)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => JSON.parse(readFileSync(join(from, name), 'utf8')) as FileResult[]);
