import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProgram } from './build.ts';
import { compilerVersion } from './compiler.ts';
import { libraryFlags, programFlags } from './flags.ts';

const folder = fileURLToPath(new URL('../', import.meta.url));
/** Root of the program's crate. */
export const launchpadSource = join(folder, 'program/src/lib.rs');
export const launchpadFile = join(folder, 'program/launchpad.so');
const recordFile = join(folder, 'program/launchpad.json');

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

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Builds the program and says what of; writes nothing into the tree. */
export const rebuild = async (): Promise<{ program: Buffer; record: LaunchpadRecord }> => {
  const scratch = mkdtempSync(join(tmpdir(), 'mintage-solana-'));
  try {
    const file = join(scratch, 'launchpad.so');
    await buildProgram(launchpadSource, 'launchpad', file);
    const program = readFileSync(file);
    const record = {
      compiler: compilerVersion,
      sourcesSha256: sourcesHash(),
      sha256: sha256(program),
      size: program.length,
    };
    return { program, record };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

export const writeLaunchpad = async (): Promise<LaunchpadRecord> => {
  const { program, record } = await rebuild();
  writeFileSync(launchpadFile, program);
  writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`);
  return record;
};
