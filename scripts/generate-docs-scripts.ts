/**
 * Writes `packages/docs/generated/docs.js` and `search.js`, the scripts of the documentation's pages, from `packages/docs/browser`.
 * `--check` fails when they would change.
 */
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { writeGenerated } from './generated.ts';

const docs = new URL('../packages/docs/', import.meta.url);
const build = await rolldown({
  input: fileURLToPath(new URL('browser/docs.ts', docs)),
  checks: { pluginTimings: false },
});
const { output } = await build.generate({
  format: 'es',
  minify: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
});
await build.close();
for (const file of output) {
  if (file.type !== 'chunk') throw new Error(`The bundle has a file that is no script: ${file.fileName}`);
  writeGenerated(new URL(`generated/${file.fileName}`, docs), file.code, 'scripts/generate-docs-scripts.ts');
}
