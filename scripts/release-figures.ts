/**
 * `npm run release-figures -- FOLDER [--scale 0.01] [--only kills,reorgs] [--report]`: the long runs of a release, in slices with a seed each.
 * What was done is kept in FOLDER, so that a run that ended, however it did, goes on behind its last whole slice: start it again. Ends
 * with a table; exits 1 when a slice failed or is still to be done, which the next start does. All of it is of one revision.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { spawnGuarded } from '../packages/devnet/test/scaleOut/spawnGuarded.ts';
import { openLedger, type Slice } from './figures/ledger.ts';
import { type Part, parts } from './figures/parts.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: Object.keys(parts).join(',') },
    report: { type: 'boolean', default: false },
  },
});
const folder = positionals[0] === undefined ? undefined : resolve(positionals[0]);
const chosen = values.only.split(',');
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
if (folder === undefined || unknown.length > 0) {
  console.error(
    folder === undefined
      ? 'Say where progress is kept: npm run release-figures -- FOLDER'
      : `There is no part ${unknown.join(', ')}. Say which: ${Object.keys(parts).join(', ')}.`,
  );
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
process.chdir(fileURLToPath(new URL('../', import.meta.url)));
const revision = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
const ledger = openLedger(join(folder, 'figures.jsonl'), {
  scale: Number(values.scale),
  seed: Number(values.seed),
  revision,
});

/** Stops with what it runs, in the middle of a slice. */
const running = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => running.abort());

const runSlice = async (name: string, { commandOf, figures }: Part, number: number, size: number): Promise<Slice> => {
  const seed = ledger.seed + number;
  const { words, env = {} } = commandOf(size, seed);
  const started = performance.now();
  const child = spawnGuarded(process.execPath, words, { ...process.env, ...env });
  const stop = (): void => void child.kill('SIGKILL');
  running.signal.addEventListener('abort', stop);
  let output = '';
  const hear = (chunk: Buffer): void => {
    output += chunk;
    appendFileSync(join(folder, `${name}.log`), chunk);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const [code] = (await once(child, 'close')) as [number | null];
  running.signal.removeEventListener('abort', stop);
  const found = figures.exec(output)?.groups;
  const seconds = Math.round((performance.now() - started) / 1000);
  if (code !== 0 || found === undefined)
    throw new SliceError(`${name}, seed ${seed}, ended with ${code}: see ${name}.log`);
  return {
    part: name,
    number,
    size,
    seed,
    seconds,
    figures: Object.fromEntries(Object.entries(found).map(([key, value]) => [key, Number(value)])),
  };
};

class SliceError extends Error {}

const run = async (name: string, part: Part): Promise<void> => {
  const whole = Math.ceil(part.whole * ledger.scale);
  const slices = Math.ceil(whole / part.slice);
  for (let number = ledger.slicesOf(name).length; number < slices && !running.signal.aborted; number++) {
    const size = Math.min(part.slice, whole - number * part.slice);
    const slice = await runSlice(name, part, number, size);
    ledger.add(slice);
    console.log(`${name} ${number + 1} of ${slices}: ${slice.seconds} s, ${JSON.stringify(slice.figures)}`);
  }
};

if (!values.report) {
  for (const name of chosen) {
    try {
      await run(name, parts[name] as Part);
    } catch (error) {
      if (running.signal.aborted) break;
      if (!(error instanceof SliceError)) throw error;
      console.error(error.message);
      process.exitCode = 1;
    }
  }
}

console.log('\n| part | done | of | seconds | figures |\n|---|---|---|---|---|');
for (const [name, { whole, unit }] of Object.entries(parts)) {
  const { size, seconds, figures } = ledger.totalOf(name);
  if (chosen.includes(name) && size < Math.ceil(whole * ledger.scale)) process.exitCode = 1;
  const words = Object.entries(figures).map(([key, value]) => `${value} ${key}`);
  console.log(`| ${name} | ${size} ${unit} | ${Math.ceil(whole * ledger.scale)} | ${seconds} | ${words.join(', ')} |`);
}
