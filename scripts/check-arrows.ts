/** Fails when an import points against the table in `arrows.ts`. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { arrowErrors, type Manifest } from './arrows.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const slashed = (pattern: string) => globSync(pattern, { cwd: root }).map((path) => path.replaceAll('\\', '/'));

const files = slashed('packages/*/{src,script,test}/**/*.{ts,tsx}').map((path) => ({ path, text: read(path) }));
const manifests = Object.fromEntries(
  slashed('packages/*/package.json').map((path) => [path.split('/')[1] ?? '', JSON.parse(read(path)) as Manifest]),
);
const errors = arrowErrors(files, manifests);
for (const error of errors) console.error(error);
if (errors.length > 0) process.exitCode = 1;
else console.log(`arrows: ${files.length} files, all imports as in scripts/arrows.ts`);
