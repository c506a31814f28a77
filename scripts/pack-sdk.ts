/**
 * Packs `@mintage/sdk` for publishing: `node scripts/pack-sdk.ts <folder>` writes the tarball there and prints its path.
 *
 * What the SDK uses of `protocol` is inside, as JavaScript with types; viem stays outside, as a peer.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { licenceIn, npmPack } from './npmPack.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const home = join(root, 'packages/sdk');

interface Manifest {
  name: string;
  version: string;
  exports: Record<string, string>;
  dependencies: Record<string, string>;
  [field: string]: unknown;
}

const manifest: Manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));

/** Entries by the name of their file: `sdk`, `schemas`. */
const entries = Object.fromEntries(
  Object.values(manifest.exports).map((source) => [basename(source, '.ts'), join(home, source)]),
);

const { '@mintage/protocol': _inside, ...others } = manifest.dependencies;
/** Packages that the published one is installed with. */
export const outside: Readonly<Record<string, string>> = others;

/** As published: built files, and of the dependencies those that are not inside. */
const published = (): object => {
  const { private: _private, exports, dependencies: _dependencies, ...rest } = manifest;
  const { viem = '', ...installed } = outside;
  const built = Object.entries(exports).map(([name, source]) => {
    const file = `./${basename(source, '.ts')}`;
    return [name, { types: `${file}.d.ts`, default: `${file}.js` }];
  });
  return {
    ...rest,
    engines: { node: '>=20' },
    exports: Object.fromEntries(built),
    dependencies: installed,
    peerDependencies: { viem: `^${viem}` },
  };
};

/** Folder of what comes from other packages and is inside, with their licences. */
const vendored = 'vendor';
const vendoredName = new RegExp(`^${vendored}/((?:@[^/]+/)?[^/]+)/`);

/** @returns Path of the tarball. */
export const packSdk = async (into: string): Promise<string> => {
  const staging = mkdtempSync(join(tmpdir(), 'mintage-sdk-'));
  try {
    const build = await rolldown({
      input: entries,
      external: Object.keys(outside).map((name) => new RegExp(`^${name}($|/)`)),
      treeshake: { moduleSideEffects: false },
      checks: { pluginTimings: false },
      plugins: [dts({ generator: 'tsgo', cwd: root, tsconfig: join(root, 'tsconfig.sdk.json') })],
    });
    const { output } = await build.write({
      dir: staging,
      format: 'es',
      entryFileNames: ({ name }) => `${name.replace('node_modules', vendored)}.js`, // npm would leave out the other
      // A file for each source, so that a bundler leaves out what is not used even where it would do something when loaded.
      preserveModules: true,
      preserveModulesRoot: join(root, 'packages'),
    });
    await build.close();
    for (const name of new Set(output.flatMap(({ fileName }) => vendoredName.exec(fileName)?.[1] ?? []))) {
      cpSync(licenceIn(join(root, 'node_modules', name)), join(staging, vendored, name, 'LICENSE'));
    }
    writeFileSync(join(staging, 'package.json'), `${JSON.stringify(published(), null, 2)}\n`);
    for (const file of ['LICENSE', 'packages/sdk/README.md']) cpSync(join(root, file), join(staging, basename(file)));
    return npmPack(staging, into);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
};

if (import.meta.main) console.log(await packSdk(process.argv[2] ?? '.'));
