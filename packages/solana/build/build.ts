import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clippy, runRust, rustc, rustfmt } from './compiler.ts';
import { programFlags } from './flags.ts';
import { makeSysroot, target } from './sysroot.ts';

const linker = fileURLToPath(new URL('link.ts', import.meta.url));
const formatRules = fileURLToPath(new URL('../program/rustfmt.toml', import.meta.url));

/**
 * Compiles a program for the cluster. The bytes depend on the sources and on nothing else: not on the folder, not on the machine.
 *
 * @param sourceFile - The crate's root; the other files of the crate lie beside it.
 * @param outFile - Where the executable is written.
 * @throws Without the pinned compiler, or with what the compiler or the packer refuses.
 */
export const buildProgram = async (sourceFile: string, crateName: string, outFile: string): Promise<void> => {
  const args = [`-Clinker=${linker}`, ...(await argumentsOf(sourceFile, crateName)), '-o', resolve(outFile)];
  const warnings = await runRust(rustc, args, dirname(sourceFile));
  if (warnings !== '') console.warn(warnings);
};

/**
 * Compiles a program of Rust's standard library for this computer, with the checks for overflow that the cluster's has.
 *
 * @throws Without the pinned compiler, or with what the compiler refuses.
 */
export const buildNative = async (sourceFile: string, outFile: string): Promise<void> => {
  await runRust(rustc, ['--edition=2024', '-O', '-Coverflow-checks=on', sourceFile, '-o', resolve(outFile)]);
};

/** The compiler runs in the crate's folder and is told to forget where that is. */
const argumentsOf = async (sourceFile: string, crateName: string): Promise<string[]> => [
  ...programFlags,
  `--target=${target}`,
  `--crate-name=${crateName}`,
  `--remap-path-prefix=${resolve(dirname(sourceFile))}=${crateName}`,
  '-L',
  await makeSysroot(),
  basename(sourceFile),
];

/**
 * Has rustfmt and Clippy look at a program.
 *
 * @throws Without the pinned compiler, or with what they say.
 */
export const checkStyle = async (sourceFile: string, crateName: string): Promise<void> => {
  await runRust(rustfmt, ['--check', '--edition=2024', `--config-path=${formatRules}`, resolve(sourceFile)]);
  const folder = mkdtempSync(join(tmpdir(), 'mintage-clippy-'));
  try {
    const args = await argumentsOf(sourceFile, crateName);
    await runRust(clippy, [...args, '-Dwarnings', '--emit=metadata', `--out-dir=${folder}`], dirname(sourceFile));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
