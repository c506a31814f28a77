/** Builds the app into a folder: `node build.ts <folder> <demo|plain>`. The files of browsers go to `client`, the renderer to `server`. */
import { rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type InlineConfig, type Plugin } from 'vite';
import type { Variant } from './kept.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const resolved = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier));

/** What would make a page heavy, and is never needed there: React itself, and the schemas of all operations. */
const banned = [/\/node_modules\/react(-dom)?\//, /\/protocol\/src\/(operations|tools)\//];

const withoutBanned: Plugin = {
  name: 'without what is banned',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      const found = file.moduleIds.find((id) => banned.some((pattern) => pattern.test(id)));
      if (found !== undefined) this.error(`${found} is in a bundle of pages; its types may be imported, itself not.`);
    }
  },
};

const shared = (variant: Variant): InlineConfig => ({
  root,
  plugins: [withoutBanned],
  configFile: false,
  logLevel: 'error',
  base: './',
  define: { HAS_DEMO_WALLET: JSON.stringify(variant === 'demo'), 'process.env.NODE_ENV': '"production"' },
  resolve: {
    alias: [
      { find: /^react-dom\/client$/, replacement: resolved('preact/compat/client') },
      { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react(-dom)?$/, replacement: 'preact/compat' },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
});

type BuildOptions = NonNullable<InlineConfig['build']>;

const forBrowsers = (folder: string): BuildOptions => ({
  outDir: `${folder}/client`,
  emptyOutDir: false,
  target: 'es2023',
  // What has light-dark(), which must stay: it follows the theme that a person chose.
  cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
  modulePreload: { polyfill: false },
  assetsDir: '',
  assetsInlineLimit: 0,
  copyPublicDir: false,
});

interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

const entry = `${root}src/client.tsx`;

/** Packages whose first module lists all of them: which of it a page needs, its imports do not say. */
const lists = /\/packages\/(sdk|protocol)\//;

/** What the client's first module imports, what those import, and nothing that is loaded later. */
const importedAtOnce = (modules: Modules): Set<string> => {
  const seen = new Set<string>();
  const visit = (id: string): void => {
    if (seen.has(id) || lists.test(id)) return;
    seen.add(id);
    for (const next of modules.getModuleInfo(id)?.importedIds ?? []) visit(next);
  };
  visit(entry);
  // It waits for its page, which waits for what it imports.
  seen.delete(entry);
  return seen;
};

/** Names the file of what every page loads: one, because dozens of small ones would wait for each other on a phone. */
const ofEveryPage = () => {
  let found: Set<string> | undefined;
  return (id: string, modules: Modules): string | null => {
    found ??= importedAtOnce(modules);
    return found.has(id) ? 'every' : null;
  };
};

const client = (folder: string, variant: Variant): InlineConfig => ({
  ...shared(variant),
  build: {
    ...forBrowsers(folder),
    manifest: 'manifest.json',
    rolldownOptions: {
      input: { client: `${root}src/client.tsx`, theme: `${root}src/theme.ts` },
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: ofEveryPage() }] } },
    },
  },
});

/** Framed pages, apart: what they share with the app would be loaded with all that the app has of it. */
const embed = (folder: string, variant: Variant): InlineConfig => ({
  ...shared(variant),
  build: {
    ...forBrowsers(folder),
    manifest: 'manifest.embed.json',
    rolldownOptions: { input: { embed: `${root}src/embed.tsx` } },
  },
});

/** The script of other people's pages: a function of its own, because it may be there twice. */
const include = (folder: string, variant: Variant): InlineConfig => ({
  ...shared(variant),
  build: {
    ...forBrowsers(folder),
    rolldownOptions: { input: `${root}src/include.ts`, output: { format: 'iife', entryFileNames: 'embed.js' } },
  },
});

const server = (folder: string, variant: Variant): InlineConfig => ({
  ...shared(variant),
  ssr: { noExternal: true },
  build: { outDir: `${folder}/server`, ssr: `${root}src/server.tsx`, target: 'es2023', copyPublicDir: false },
});

const [folder, variant] = process.argv.slice(2);
if (folder === undefined || (variant !== 'demo' && variant !== 'plain'))
  throw new Error('Usage: node build.ts <folder> <demo|plain>');
const unfinished = `${folder}.${process.pid}`;
try {
  for (const part of [client, embed, include, server]) await build(part(unfinished, variant));
  // Two processes may build at once: the first one's folder is kept, and is the same.
  await rename(unfinished, folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
} finally {
  await rm(unfinished, { recursive: true, force: true });
}
