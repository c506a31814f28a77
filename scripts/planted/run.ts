/**
 * `npm run planted -- --set quick`: plants every bug of byHand.ts and byMutator.ts in a copy of the tree, one at a time, and says
 * whether a set of tests turns red, by which test first, and in how many seconds. Exits 1 when a bug stays green.
 *
 * `--set deep` runs the deep set; further words are the ids of bugs; `--out FOLDER` keeps what was found in `FOLDER/quick.json`, and goes
 * on from there; `--copies 1` plants one at a time. `--check` plants nothing and says only whether every bug fits its source.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { firstLine } from '../testing/results.ts';
import { root } from '../testing/run.ts';
import type { TestSet } from '../testing/testSet.ts';
import type { PlantedBug } from './bug.ts';
import { byHand } from './byHand.ts';
import { byMutator } from './byMutator.ts';
import { copyTree } from './copyTree.ts';
import { nearestFirst } from './nearestFirst.ts';

interface Found {
  id: string;
  /** `unsure`: the test that turned red is red without the bug too. */
  verdict: 'red' | 'GREEN' | 'unsure';
  /** The first that failed, with its file. */
  test: string;
  seconds: number;
}

/** A test that failed, and its file from the root. */
interface Red {
  file: string;
  test: string;
}

/** What this script reads of a report in the form of Jest. */
interface Report {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

const bugs = [...byHand, ...byMutator];

const { values, positionals: ids } = parseArgs({
  options: {
    set: { type: 'string', default: 'quick' },
    out: { type: 'string' },
    copies: { type: 'string', default: '2' },
    check: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const misfits = bugs.flatMap(({ id, file, noticedBy, from, to }) => {
  const found = readFileSync(join(root, file), 'utf8').split(from).length - 1;
  return [
    ...(found === 1 && from !== to ? [] : [`${id}: its text occurs ${found} times in ${file}`]),
    ...(existsSync(join(root, noticedBy)) ? [] : [`${id}: there is no ${noticedBy}`]),
  ];
});

/** Ends what runs, so that the copies are removed. */
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());

/** Runs test files until one fails; null: none did. */
const firstRed = async (copy: string, files: readonly string[]): Promise<Red | null> => {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const args = ['run', '--bail=1', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`, ...files];
  const env = {
    ...process.env,
    PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
    NODE_COMPILE_CACHE: join(copy, 'compiled'),
    TEST_CHAIN_TEMPLATES: join(copy, 'chains'),
    TEST_DATABASE_URL: '',
  };
  const { code, output } = await new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn('vitest', args, { cwd: copy, env, stdio: ['ignore', 'pipe', 'pipe'], signal: ending.signal });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk;
      });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
  if (code === 0) return null;
  const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'));
  const red = testResults.find(({ status }) => status === 'failed');
  if (red === undefined) throw new Error(`vitest failed without a red test:\n${output}`);
  const test = red.assertionResults.find(({ status }) => status === 'failed')?.fullName;
  return {
    file: relative(copy, red.name),
    test: test ?? firstLine(red.message),
  };
};

/** As `firstRed`; a file that is green when it runs once more, alone, has noticed nothing. */
const surelyRed = async (copy: string, files: readonly string[]): Promise<Red | null> => {
  const red = await firstRed(copy, files);
  if (red === null || files.length === 1 || (await firstRed(copy, [red.file])) !== null) return red;
  console.log(`${red.file} > ${red.test} is red at times.`);
  return surelyRed(
    copy,
    files.filter((file) => file !== red.file),
  );
};

/** How many files run at once before the next ones are tried: the nearest ones turn red most often. */
const portions = [1, 3, 12, 48, Number.POSITIVE_INFINITY];

const tryBug = async (copy: string, set: TestSet, bug: PlantedBug): Promise<Found> => {
  const { id, file, from, to } = bug;
  const started = Date.now();
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  const waiting = nearestFirst(set, bug);
  let red: Red | null = null;
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  try {
    for (const portion of portions) {
      const files = waiting.splice(0, portion);
      if (files.length > 0) red = await surelyRed(copy, files);
      if (red !== null) break;
    }
  } finally {
    writeFileSync(path, source);
  }
  const seconds = Math.round((Date.now() - started) / 1_000);
  if (red === null) return { id, verdict: 'GREEN', test: '', seconds };
  const anyway = await firstRed(copy, [red.file]);
  const test = `${red.file} > ${red.test}`;
  if (anyway === null) return { id, verdict: 'red', test, seconds };
  return { id, verdict: 'unsure', test: `${test}; without it ${anyway.test}`, seconds };
};

const runAll = async (set: TestSet, chosen: readonly PlantedBug[], copies: number): Promise<Found[]> => {
  setPriority(10);
  const folder = values.out ?? mkdtempSync(join(tmpdir(), 'mintage-planted-'));
  mkdirSync(folder, { recursive: true });
  const kept = join(folder, `${set}.json`);
  const found: Found[] = readJson(kept) ?? [];
  const waiting = chosen.filter(({ id }) => !found.some((one) => one.id === id));
  const work = async (): Promise<void> => {
    const copy = copyTree();
    try {
      for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
        const one = await tryBug(copy, set, bug);
        found.push(one);
        writeFileSync(kept, JSON.stringify(found, null, 2));
        console.log(`${one.verdict.padEnd(6)} ${one.id.padEnd(20)} ${String(one.seconds).padStart(5)} s  ${one.test}`);
      }
    } finally {
      rmSync(copy, { recursive: true, force: true, maxRetries: 10 }); // what was ended may still write
    }
  };
  await Promise.all(Array.from({ length: copies }, work));
  console.log(`\nKept in ${kept}.`);
  return found.filter(({ id }) => chosen.some((bug) => bug.id === id));
};

const readJson = (path: string): Found[] | null => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

const table = (set: TestSet, found: readonly Found[]): string =>
  [
    '| Bug | Set | Verdict | First red test | Seconds |',
    '|---|---|---|---|---:|',
    ...bugs.flatMap(({ id, bug }) =>
      found
        .filter((one) => one.id === id)
        .map(({ verdict, test, seconds }) => `| \`${id}\`: ${bug} | ${set} | ${verdict} | ${test} | ${seconds} |`),
    ),
  ].join('\n');

if (misfits.length > 0) {
  console.error(misfits.join('\n'));
  process.exitCode = 1;
} else if (values.check) console.log(`planted: ${bugs.length} bugs fit their sources`);
else if (values.set !== 'quick' && values.set !== 'deep') throw new Error('--set is quick or deep');
else {
  const chosen = bugs.filter(({ id }) => ids.length === 0 || ids.includes(id));
  const found = await runAll(values.set, chosen, Number(values.copies));
  const red = found.filter(({ verdict }) => verdict === 'red').length;
  console.log(`\n${table(values.set, found)}\n\n${red} of ${chosen.length} bugs turn the ${values.set} set red.`);
  if (red < chosen.length || chosen.length === 0) process.exitCode = 1;
}
