import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilerVersion, libraryFlags, programFlags } from './flags.ts';

const folder = fileURLToPath(new URL('../', import.meta.url));
/** Root of the program's crate. */
export const launchpadSource = join(folder, 'program/src/lib.rs');
export const launchpadFile = join(folder, 'program/launchpad.so');
export const recordFile = join(folder, 'program/launchpad.json');

/** `launchpad.json`: what the committed program was made of. */
export interface LaunchpadRecord {
  /** Version of Debian's packages. */
  compiler: string;
  /** Of everything that decides the bytes. */
  sourcesSha256: string;
  /** Of the program. */
  sha256: string;
  size: number;
}

export const readRecord = (): LaunchpadRecord => JSON.parse(readFileSync(recordFile, 'utf8'));

/** The files that decide the bytes, by path from the package. */
const deciding = (): string[] =>
  [
    ...globSync('program/src/**/*.rs', { cwd: folder }).map((path) => path.replaceAll('\\', '/')),
    ...['sbpf.json', 'compiler_builtins.rs', 'link.ts', 'pack.ts', 'elf.ts', 'instructions.ts'].map(
      (name) => `build/${name}`,
    ),
  ].toSorted();

/** Of everything that decides the program's bytes: sources, packer, options, compiler. It needs no compiler. */
export const sourcesHash = (): string => {
  const hash = createHash('sha256');
  hash.update(`${JSON.stringify([compilerVersion, libraryFlags, programFlags])}\n`);
  for (const path of deciding()) hash.update(`${sha256(readFileSync(join(folder, path)))} ${path}\n`);
  return hash.digest('hex');
};

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
