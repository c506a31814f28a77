/** Builds the app into a folder: `node build.ts <folder> <demo|plain>`. The files of browsers go to `client`, the renderer to `server`. */
import { rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite';
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

const common = (variant: Variant): InlineConfig => ({
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

const entries = { client: `${root}src/client.tsx`, theme: `${root}src/theme.ts` };
const shared = 'shared';

/**
 * Few files: dozens of small ones would wait for each other on a phone. One has what every page loads; what several pages or later
 * parts share comes in files by who shares it, the small ones of them together. Apart from these is what people say to each other: among
 * them it would come along where nobody speaks.
 */
const few: Rolldown.CodeSplittingOptions = {
  includeDependenciesRecursively: false,
  groups: [
    { name: 'every', tags: ['$initial'], test: (id) => !Object.values(entries).includes(id) },
    { name: 'people', test: /\/features\/people\/|infinite/i, minShareCount: 2 },
    { name: shared, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 3_000 },
  ],
};

const client = (folder: string, variant: Variant): InlineConfig => ({
  ...common(variant),
  build: {
    ...forBrowsers(folder),
    manifest: 'manifest.json',
    rolldownOptions: {
      input: entries,
      output: {
        codeSplitting: few,
        // The bundler adds the names of all who share it.
        chunkFileNames: ({ name }) => `${name.startsWith(shared) ? shared : '[name]'}-[hash].js`,
      },
    },
  },
});

/** Framed pages, apart: what they share with the app would be loaded with all that the app has of it. */
const embed = (folder: string, variant: Variant): InlineConfig => ({
  ...common(variant),
  build: {
    ...forBrowsers(folder),
    manifest: 'manifest.embed.json',
    rolldownOptions: { input: { embed: `${root}src/embed.tsx` } },
  },
});

/** A script that is alone at an address that never changes: a function of its own, because it may be there twice. */
const alone =
  (source: string, name: string) =>
  (folder: string, variant: Variant): InlineConfig => ({
    ...common(variant),
    build: {
      ...forBrowsers(folder),
      rolldownOptions: { input: `${root}src/${source}`, output: { format: 'iife', entryFileNames: name } },
    },
  });

/** That of other people's pages, and the worker that browsers are told by. */
const include = alone('include.ts', 'embed.js');
const push = alone('push.ts', 'push.js');

const server = (folder: string, variant: Variant): InlineConfig => ({
  ...common(variant),
  ssr: { noExternal: true },
  build: { outDir: `${folder}/server`, ssr: `${root}src/server.tsx`, target: 'es2023', copyPublicDir: false },
});

const [folder, variant] = process.argv.slice(2);
if (folder === undefined || (variant !== 'demo' && variant !== 'plain'))
  throw new Error('Usage: node build.ts <folder> <demo|plain>');
const unfinished = `${folder}.${process.pid}`;
try {
  for (const part of [client, embed, include, push, server]) await build(part(unfinished, variant));
  // Two processes may build at once: the first one's folder is kept, and is the same.
  await rename(unfinished, folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
} finally {
  await rm(unfinished, { recursive: true, force: true });
}
