/**
 * `npm run verify`: is the tree good? Format, lint and types first, then generated files, arrows between packages, migrations, licences
 * and the unit tests. `--checks` leaves the tests out.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setOf } from './testing/testSet.ts';
import { testKinds } from './testKinds.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const tools = join(root, 'node_modules/.bin');
const env = { ...process.env, PATH: `${tools}${delimiter}${process.env.PATH ?? ''}` };

interface Step {
  name: string;
  command: string;
  args: string[];
  /** Name of a step that ends before this one begins. */
  after?: string;
}

/** Those beside their sources that need neither a database nor a chain, and start no process themselves. */
const unitTests = [...testKinds()]
  .filter(([path, kind]) => kind === 'alone' && setOf(path) === 'quick' && /^packages\/[^/]+\/src\//.test(path))
  .map(([path]) => path)
  .filter((path) => !readFileSync(join(root, path), 'utf8').includes('node:child_process'));

const npm = (script: string): Pick<Step, 'command' | 'args'> => ({ command: 'npm', args: ['run', '--silent', script] });
const node = (...args: string[]): Pick<Step, 'command' | 'args'> => ({ command: 'node', args });

/** In the order in which they begin, as many at a time as there are processors. */
const steps: Step[] = [
  { name: 'format', command: 'biome', args: ['check'] },
  { name: 'types', ...npm('types') },
  { name: 'lint', ...npm('lint') },
  { name: 'generated files', ...node('scripts/generate.ts', '--check') },
  { name: 'arrows', ...node('scripts/check-arrows.ts') },
  { name: 'migrations', ...node('scripts/check-migrations.ts') },
  { name: 'threats', ...node('scripts/threats.ts') },
  { name: 'mutations', ...node('scripts/mutants.ts', '--check') },
  { name: 'planted bugs', ...node('scripts/planted/run.ts', '--check') },
  { name: 'licences', ...node('scripts/check-licenses.ts'), after: 'generated files' },
];
if (!process.argv.includes('--checks'))
  steps.push({ name: 'unit tests', command: 'vitest', args: ['run', ...unitTests] });

const failed: string[] = [];
const take = async ({ name, command, args }: Step): Promise<void> => {
  const started = Date.now();
  const error = await new Promise<string | null>((resolve) => {
    execFile(command, args, { cwd: root, env, maxBuffer: 2 ** 26 }, (failure, stdout, stderr) =>
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
