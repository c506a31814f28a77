/** Fails when an import points against the table in `arrows.ts`, or files import each other in a circle. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { arrowErrors, circleErrors, type Manifest } from './arrows.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const slashed = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules'] }).map((path) => path.replaceAll('\\', '/'));

const files = slashed('{packages,scripts,bench,examples}/**/*.{ts,tsx,mjs}').map((path) => ({
  path,
  text: read(path),
}));
const inPackages = files.filter(({ path }) => /^packages\/[^/]+\/(src|script|test)\//.test(path));
const manifests = Object.fromEntries(
  slashed('packages/*/package.json').map((path) => [path.split('/')[1] ?? '', JSON.parse(read(path)) as Manifest]),
);
const errors = [...arrowErrors(inPackages, manifests), ...circleErrors(files)];
for (const error of errors) console.error(error);
if (errors.length > 0) process.exitCode = 1;
else console.log(`arrows: ${files.length} files, no circle, and all imports of packages as in scripts/arrows.ts`);
