/**
 * `npm run verify`: is the tree good? Format, lint, types, generated files, arrows between packages, migrations, licences, then the
 * tests that start no process of their own. `--checks` leaves the tests out (`npm test` runs all of them itself).
 */
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testKinds } from './testKinds.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const tools = join(root, 'node_modules/.bin');
const env = { ...process.env, PATH: `${tools}${delimiter}${process.env.PATH ?? ''}` };

interface Step {
  name: string;
  command: string;
  args: string[];
  /** From the root. */
  folder?: string;
  /** Name of a step that ends before this one begins. */
  after?: string;
}

const files = (pattern: string) => globSync(pattern, { cwd: root }).toSorted();

/** Tests that need neither a database nor a chain, and start no process themselves. */
const fastTests = [...testKinds()]
  .filter(([path, kind]) => kind === 'alone' && !readFileSync(join(root, path), 'utf8').includes('node:child_process'))
  .map(([path]) => path);

/** The slow ones first; what reads the compiled contracts waits for them. */
const steps: Step[] = [
  { name: 'contracts', command: 'forge', args: ['build', '--quiet'], folder: 'packages/contracts' },
  { name: 'types', command: 'tsc', args: ['-p', '.', '--checkers', '1'] },
  { name: 'types of the pages', command: 'tsc', args: ['-p', 'packages/docs/browser'] },
  { name: 'types of the web app', command: 'tsc', args: ['-p', 'packages/web'] },
  { name: 'format', command: 'biome', args: ['check'] },
  { name: 'lint', command: 'oxlint', args: [] },
  { name: 'arrows', command: 'node', args: ['scripts/check-arrows.ts'] },
  { name: 'migrations', command: 'node', args: ['scripts/check-migrations.ts'] },
  { name: 'threats', command: 'node', args: ['scripts/threats.ts'] },
  { name: 'mutations', command: 'node', args: ['scripts/mutants.ts', '--check'] },
  { name: 'licences', command: 'node', args: ['scripts/check-licenses.ts'], after: 'contracts' },
  ...files('scripts/generate-*.ts').map((path) => ({
    name: `generated: ${path}`,
    command: 'node',
    args: [path, '--check'],
    after: 'contracts',
  })),
];
if (!process.argv.includes('--checks'))
  steps.push({ name: 'fast tests', command: 'vitest', args: ['run', ...fastTests], after: 'contracts' });

const failed: string[] = [];
const take = async ({ name, command, args, folder = '.' }: Step): Promise<void> => {
  const started = Date.now();
  const error = await new Promise<string | null>((resolve) => {
    execFile(command, args, { cwd: join(root, folder), env, maxBuffer: 2 ** 26 }, (failure, stdout, stderr) =>
      resolve(failure && `${stdout}${stderr}` + (stdout === '' && stderr === '' ? failure.message : '')),
    );
  });
  console.log(`${error === null ? '✓' : '✗'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (error === null) return;
  failed.push(name);
  console.error(error);
};

const ended = new Map<string, PromiseWithResolvers<void>>(steps.map(({ name }) => [name, Promise.withResolvers()]));
const waiting = [...steps];
/** Takes one step after the other, as many lanes as there are processors. */
const lane = async (): Promise<void> => {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    if (step.after !== undefined) await ended.get(step.after)?.promise;
    await take(step);
    ended.get(step.name)?.resolve();
  }
};
await Promise.all(Array.from({ length: availableParallelism() }, lane));

console.log(failed.length === 0 ? 'The tree is good.' : `Not good: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
