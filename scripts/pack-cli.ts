/**
 * Packs the command line for publishing: `node scripts/pack-cli.ts <folder>` writes the tarball there and prints its path.
 *
 * All that it uses is inside, a file for each command, so that installing it is quick and a command loads no other's code; but for the
 * system's keychain, whose library is native. Commands for operators are not: they are loaded from a checkout.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { manualOf } from '../packages/cli/src/manual.ts';
import { createProgram } from '../packages/cli/src/program.ts';
import { licenceText, npmPack } from './npmPack.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const home = join(root, 'packages/cli');

interface Manifest {
  version: string;
  optionalDependencies: Record<string, string>;
  [field: string]: unknown;
}

const manifest: Manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));

/** As published. */
const published = (): object => {
  const { private: _private, dependencies: _inside, ...rest } = manifest;
  return { ...rest, engines: { node: '>=20.12' }, bin: { mintage: './mintage.js' }, man: './mintage.1' };
};

/** The folder of the package that a file is in: one may lie in another, and the last counts. */
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Licences of the packages that these files are from, one after the other. */
const licencesOf = (files: readonly string[]): string => {
  const folders = new Set(files.flatMap((path) => packageFolder.exec(path)?.[0] ?? []));
  const licences = [...folders].toSorted().map(licenceText);
  return licences.join(`\n${'-'.repeat(80)}\n\n`);
};

/** @returns Path of the tarball. */
export const packCli = async (into: string): Promise<string> => {
  const staging = mkdtempSync(join(tmpdir(), 'mintage-cli-'));
  try {
    const build = await rolldown({
      input: { mintage: join(home, 'src/mintage.ts') },
      platform: 'node',
      external: Object.keys(manifest.optionalDependencies),
      treeshake: { moduleSideEffects: false },
      checks: { pluginTimings: false },
    });
    const { output } = await build.write({
      dir: staging,
      format: 'es',
      chunkFileNames: 'chunks/[name]-[hash].js',
      minify: true,
    });
    await build.close();
    const inside = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    writeFileSync(join(staging, 'LICENSES-OF-OTHERS.txt'), licencesOf(inside));
    writeFileSync(join(staging, 'package.json'), `${JSON.stringify(published(), null, 2)}\n`);
    writeFileSync(join(staging, 'mintage.1'), manualOf(await createProgram(manifest.version, 'all')));
    for (const file of ['LICENSE', 'packages/cli/README.md']) cpSync(join(root, file), join(staging, basename(file)));
    return npmPack(staging, into);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
};

if (import.meta.main) console.log(await packCli(process.argv[2] ?? '.'));
