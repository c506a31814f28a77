import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runRust, rustc, rustLibrary } from './compiler.ts';
import { compilerVersion, libraryFlags } from './flags.ts';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/mintage-solana/', import.meta.url));
const coreSource = join(rustLibrary, 'core/src/lib.rs');
const emptyCrate = fileURLToPath(new URL('compiler_builtins.rs', import.meta.url));
export const target = fileURLToPath(new URL('sbpf.json', import.meta.url));

/**
 * A folder with `core` and `compiler_builtins` for the machine. Making it takes twenty seconds of CPU time, so it is kept: one for each
 * compiler and description of the machine.
 */
export const makeSysroot = async (): Promise<string> => {
  const hash = createHash('sha256').update(compilerVersion).update(libraryFlags.join(' '));
  for (const file of [target, emptyCrate]) hash.update(readFileSync(file));
  const kept = join(cache, hash.digest('hex').slice(0, 16));
  if (existsSync(kept)) return kept;

  // Made elsewhere and moved: another process may be making it too, and nobody finds it half made.
  const folder = join(cache, randomUUID());
  mkdirSync(folder, { recursive: true });
  try {
    const flags = [...libraryFlags, `--target=${target}`, `--out-dir=${folder}`, '-L', folder];
    await runRust(rustc, [
      ...flags,
      '--crate-name=core',
      '-Zforce-unstable-if-unmarked',
      `--remap-path-prefix=${rustLibrary}=library`,
      coreSource,
    ]);
    await runRust(rustc, [...flags, '--crate-name=compiler_builtins', emptyCrate]);
    renameSync(folder, kept);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(kept)) throw error;
  }
  return kept;
};
