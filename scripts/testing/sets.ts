import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCompilerHere, rustPackages } from '../../packages/solana/build/compiler.ts';
import { compilerVersion } from '../../packages/solana/build/flags.ts';
import { reachOf, testKinds } from '../testKinds.ts';
import { setOf, type TestSet } from './testSet.ts';

/** Where Debian has its versions, each with `bin` and `lib`. */
export const postgresFolder = '/usr/lib/postgresql';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The test files of a set, by path from the root. */
export const testFiles = (set: TestSet): string[] => [...testKinds().keys()].filter((path) => setOf(path) === set);

/** What a verdict of the deep set is about: the package, a part of the server, or `solana` wherever it is tested. */
export const subjectOf = (path: string): string => {
  if (/(^|\/)solana[./]/i.test(path)) return 'solana';
  const [top = '', name = '', , part = ''] = path.split('/');
  if (top !== 'packages') return top;
  return name === 'server' && !part.includes('.') ? `${name}/${part}` : name;
};

interface Program {
  name: string;
  /** Debian's package of it. */
  package: string;
  /** How the code that starts it writes it. */
  writtenAs: string;
  isHere(): boolean;
}

const onPath = (name: string) => ({
  name,
  writtenAs: `'${name}'`,
  isHere: () => spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined,
});

/** Programs that tests start beside Node; npm has everything else. */
const programs: readonly Program[] = [
  { package: 'redis-server', ...onPath('redis-server') },
  { package: 'prometheus', ...onPath('prometheus') },
  { package: 'systemd', ...onPath('systemd-analyze') },
  {
    name: 'a PostgreSQL server of the system',
    package: 'postgresql',
    writtenAs: `'${postgresFolder}'`,
    isHere: () => existsSync(postgresFolder),
  },
  {
    name: `Rust ${compilerVersion}`,
    package: rustPackages.join(', '),
    writtenAs: 'runRust(rustc',
    isHere: isCompilerHere,
  },
];

/** A program that this machine lacks, and the test files that start it. */
export interface MissingProgram {
  program: Program;
  files: string[];
}

export const missingPrograms = (files: readonly string[]): MissingProgram[] =>
  programs
    .filter((program) => !program.isHere())
    .map((program) => ({ program, files: files.filter((path) => starts(path, program)) }))
    .filter((missing) => missing.files.length > 0);

/** Names all programs and starts none. */
const here = 'scripts/testing/sets.ts';

const starts = (path: string, { writtenAs }: Program): boolean =>
  [...reachOf(path)].some((file) => file !== here && readFileSync(join(root, file), 'utf8').includes(writtenAs));
