import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reachOf, testKinds } from '../testKinds.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export type TestSet = 'quick' | 'deep';

/** A deep test's file says so by its name; every other one is quick. */
export const setOf = (path: string): TestSet => (path.endsWith('.deep.test.ts') ? 'deep' : 'quick');

/** The test files of a set, by path from the root. */
export const testFiles = (set: TestSet): string[] => [...testKinds().keys()].filter((path) => setOf(path) === set);

/** What a verdict of the deep set is about: the package, a part of the server, or `solana` wherever it is tested. */
export const subjectOf = (path: string): string => {
  if (/(^|\/)solana[./]/i.test(path)) return 'solana';
  const [top = '', name = '', , part = ''] = path.split('/');
  if (top !== 'packages') return top;
  return name === 'server' && !part.includes('.') ? `${name}/${part}` : name;
};

/** Programs that tests start beside Node, and the Debian package that each comes in; npm has everything else. */
export const programs = { 'redis-server': 'redis-server', prometheus: 'prometheus', 'systemd-analyze': 'systemd' };

/** A program that this machine lacks, and the test files that start it. */
export interface MissingProgram {
  program: string;
  package: string;
  files: string[];
}

export const missingPrograms = (files: readonly string[]): MissingProgram[] =>
  Object.entries(programs)
    .filter(([program]) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined)
    .map(([program, name]) => ({ program, package: name, files: files.filter((path) => starts(path, program)) }))
    .filter((missing) => missing.files.length > 0);

const starts = (path: string, program: string): boolean =>
  [...reachOf(path)].some((file) => readFileSync(join(root, file), 'utf8').includes(`'${program}'`));
