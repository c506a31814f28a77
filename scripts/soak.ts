/**
 * `npm run soak -- --minutes 60 [--csv FILE]`: a deployment as docs/running.md has it (two APIs, an indexer a chain, two signers) with trades,
 * reads, streams, tools, uploads, pages and sign-ins at a steady pace. Every ten seconds it is written down what each process holds. Ends
 * with a table, with how memory grew, and with what is left over when the load has ended; exits 1 when something is, or when a call failed.
 * Ctrl-C ends the load early. `npm run soak -- --report FILE` prints the table of a file again.
 */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createClosers } from '@mintage/server';
import { sql } from 'kysely';
import { createClient } from '../packages/devnet/test/scaleOut/client.ts';
import { startCluster } from '../packages/devnet/test/scaleOut/cluster.ts';
import { newPerson } from '../packages/devnet/test/scaleOut/load.ts';
import { unlimited } from './attack/service.ts';
import { startSoakLoad } from './soak/load.ts';
import { growthOf, leftOver, notFlat, tableOf } from './soak/report.ts';
import { collected, filesBelow, type Sample, sampleOf } from './soak/sample.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, csv: { type: 'string' }, report: { type: 'string' } },
});

const columns = [
  'second',
  'process',
  'rssMb',
  'heapMb',
  'committedMb',
  'externalMb',
  'descriptors',
  'sockets',
  'listeners',
  'warnings',
] as const;
const lineOf = (sample: Sample): string => columns.map((column) => sample[column]).join(',');
const samplesIn = (file: string): Sample[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const cells = line.split(',');
      const row = Object.fromEntries(
        columns.map((column, i) => [column, column === 'process' ? cells[i] : Number(cells[i])]),
      );
      return { ...row, resources: {}, isCollected: false } as unknown as Sample;
    });
const tell = (samples: readonly Sample[]): void => {
  console.log(['', ...tableOf(samples), '', ...growthOf(samples)].join('\n'));
};

if (values.report !== undefined) {
  tell(samplesIn(values.report));
  process.exit();
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

/** So long a process keeps what it may need again: idle connections, and caches that end by time. */
const restMs = 60_000;
const warmUpMs = 60_000;

const closers = createClosers();
try {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-soak-'));
  closers.add(() => rmSync(folder, { recursive: true, force: true }));
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const csv = values.csv ?? join(process.cwd(), 'soak.csv');
  const probe = new URL('./soak/probe.ts', import.meta.url).href;
  const cluster = await startCluster({
    env: {
      PROBE_FOLDER: folder,
      NODE_OPTIONS: `--import=${probe}`,
      // As everything in ops has it.
      MALLOC_ARENA_MAX: '2',
      TMPDIR: temporary,
      RATE_LIMITS: unlimited,
    },
  });
  closers.add(cluster.stop);
  const people = [await newPerson(createClient(cluster.apis), cluster.chains)];
  const files = (): string[] => filesBelow([cluster.home, temporary]);
  const databaseMb = async (): Promise<number> => {
    const { rows } = await sql<{ mb: number }>`select (pg_database_size(current_database()) >> 20)::int as mb`.execute(
      cluster.db,
    );
    return rows[0]?.mb ?? 0;
  };

  console.log('Warming up.');
  const warmUp = await startSoakLoad(cluster, people);
  await sleep(warmUpMs, undefined, { signal: stopping.signal }).catch(() => undefined);
  await warmUp.stop();
  await sleep(restMs, undefined, { signal: stopping.signal }).catch(() => undefined);
  const before = await collected(cluster.processes, folder, 0);
  const filesBefore = new Set(files());
  const databaseBefore = await databaseMb();

  writeFileSync(csv, `${columns.join(',')}\n`);
  console.log(`For ${values.minutes} minutes; every sample is in ${csv}.`);
  const load = await startSoakLoad(cluster, people);
  const started = performance.now();
  const samples: Sample[] = [];
  while (performance.now() - started < Number(values.minutes) * 60_000 && !stopping.signal.aborted) {
    await sleep(10_000, undefined, { signal: stopping.signal }).catch(() => undefined);
    const second = Math.round((performance.now() - started) / 1_000);
    const now = cluster.processes.flatMap((each) => sampleOf(each, folder, second) ?? []);
    samples.push(...now);
    appendFileSync(csv, now.map((sample) => `${lineOf(sample)}\n`).join(''));
  }
  await load.stop();
  const grown = (await databaseMb()) - databaseBefore;
  console.log('At rest.');
  await sleep(restMs);
  const after = await collected(cluster.processes, folder, Math.round((performance.now() - started) / 1_000));
  const newFiles = files().filter((path) => !filesBefore.has(path));

  tell(samples);
  console.log('\n| process | heap MB after a collection, before | after |\n|---|---|---|');
  for (const { process: name, heapMb } of after) {
    const then = before.find((sample) => sample.process === name);
    console.log(`| ${name} | ${then?.heapMb.toFixed(1)} | ${heapMb.toFixed(1)} |`);
  }
  console.log(
    `\n${Object.entries(load.done)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}; the database grew by ${grown} MB.`,
  );
  const left = [...notFlat(samples), ...leftOver(before, after), ...newFiles.map((path) => `a file: ${path}`)];
  console.log(left.length === 0 ? 'Nothing is left over.' : `Left over:\n${left.join('\n')}`);
  const failed = [...load.errors, ...warmUp.errors];
  console.log(
    failed.length === 0 ? 'No call failed.' : `${failed.length} calls failed:\n${failed.slice(0, 20).join('\n')}`,
  );
  if (left.length > 0 || failed.length > 0) process.exitCode = 1;
} finally {
  await closers.closeAll();
}
