/**
 * `npm run verify`: is the tree good? Format, lint, types, generated files, arrows between packages, licences, then the
 * tests that start no process of their own. `--checks` leaves the tests out (`npm test` runs all of them itself).
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const tools = join(root, 'node_modules/.bin');
const env = { ...process.env, PATH: `${tools}${delimiter}${process.env.PATH ?? ''}` };

interface Step {
  name: string;
  command: string;
  args: string[];
  /** From the root. */
  folder?: string;
}

const files = (pattern: string) => globSync(pattern, { cwd: root }).toSorted();

/** A test that needs neither a database nor a chain. */
const isFast = (path: string) =>
  !/testDatabase|startDatabase|@mintage\/devnet|anvil|\bforge\b/i.test(readFileSync(join(root, path), 'utf8'));
const fastTests = files('{packages/*/{src,test,script},scripts}/**/*.test.ts').filter(isFast);

const steps: Step[] = [
  { name: 'format', command: 'biome', args: ['check'] },
  { name: 'lint', command: 'oxlint', args: [] },
  { name: 'types', command: 'tsc', args: ['-p', '.'] },
  { name: 'arrows', command: 'node', args: ['scripts/check-arrows.ts'] },
  { name: 'threats', command: 'node', args: ['scripts/threats.ts'] },
  { name: 'mutations', command: 'node', args: ['scripts/mutants.ts', '--check'] },
  { name: 'contracts', command: 'forge', args: ['build', '--quiet'], folder: 'packages/contracts' },
  { name: 'licences', command: 'node', args: ['scripts/check-licenses.ts'] },
  ...files('scripts/generate-*.ts').map((path) => ({
    name: `generated: ${path}`,
    command: 'node',
    args: [path, '--check'],
  })),
];
if (!process.argv.includes('--checks'))
  steps.push({ name: 'fast tests', command: 'vitest', args: ['run', ...fastTests] });

const failed: string[] = [];
for (const { name, command, args, folder = '.' } of steps) {
  const started = Date.now();
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: join(root, folder),
    env,
    encoding: 'utf8',
  });
  const good = status === 0;
  console.log(`${good ? '✓' : '✗'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (good) continue;
  failed.push(name);
  console.error(`${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`);
}

console.log(failed.length === 0 ? 'The tree is good.' : `Not good: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
