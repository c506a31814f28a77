import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestSet } from './testSet.ts';

/** What one file of tests, or one command that counts as one, took and found. */
export interface FileResult {
  file: string;
  set: TestSet;
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

/** In a file of its own name: thousands of processes write into one folder, and numbers of processes come again. */
export const writeResults = (results: readonly FileResult[]): void => {
  const into = folder();
  if (into === undefined) return;
  mkdirSync(into, { recursive: true });
  writeFileSync(join(into, `${randomUUID()}.json`), JSON.stringify(results));
};

/** Of an error's message: the first line that says something. */
export const firstLine = (text: string): string => text.split('\n').find((line) => line.trim() !== '') ?? '';

export const readResults = (from: string): FileResult[] =>
  readdirSync(from)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => JSON.parse(readFileSync(join(from, name), 'utf8')) as FileResult[]);
