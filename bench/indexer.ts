import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { treeCpuMs } from '../scripts/testing/processTree.ts';
import { type BenchDatabase, inOwnDatabase, startBenchDatabase } from './benchDatabase.ts';
import { type CrowdChain, startCrowdChain } from './crowdChain.ts';
import type { Figures } from './meter.ts';
import { countIndexed, type OwnIndexer, startOwnIndexer } from './ownIndexer.ts';
import { peakRssMiB } from './peakRssMiB.ts';
import { installPonder, startPonder } from './ponderApp.ts';
import { profileParts } from './profile.ts';

/** So many URLs of one node free Ponder of the requests per second that it allows itself for each. */
const freedUrls = 32;

interface Run {
  trades: number;
  grossUsd: bigint;
  bootMs: number;
  readyMs: number;
  /** Of the indexer's own process. */
  cpuMs: number;
  rssMiB: number;
  /** Of the node and of the database server while it ran. */
  nodeCpuMs: number;
  databaseCpuMs: number;
}

interface Setting {
  chain: CrowdChain;
  database: BenchDatabase;
  serverPid: number;
}

/**
 * Events per second from an empty database to the whole history, ours with all its tables beside Ponder with four, on the
 * same chain, server and machine, in turn. Boot is part of the time for both.
 */
export const benchIndexer = async (): Promise<void> => {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { events: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '3' } },
  });
  installPonder();
  const closers: (() => unknown)[] = [];
  try {
    const chain = await startCrowdChain(Number(values.events), console.log);
    closers.unshift(chain.stop);
    const database = await startBenchDatabase();
    closers.unshift(database.stop);
    const serverPid = await serverPidOf(database);
    await run({ chain, database, serverPid }, Number(values.rounds));
  } finally {
    for (const close of closers) await close();
  }
};

const run = async (setting: Setting, rounds: number): Promise<void> => {
  const kinds = {
    ours: () => runOurs(setting),
    'Ponder as it comes': () => runPonder(setting, 1),
    'Ponder freed': () => runPonder(setting, freedUrls),
  };
  const runs = new Map<string, Run[]>(Object.keys(kinds).map((kind) => [kind, []]));
  let events = 0;
  console.log(
    row(['round', '', 'events/s', 'seconds', 'boot before', 'own CPU µs/event', 'node', 'database', 'RSS MiB']),
  );
  for (let round = 1; round <= rounds; round += 1) {
    for (const [kind, once] of Object.entries(kinds)) {
      const result = await once();
      if ('events' in result) events = (result as OwnRun).events;
      runs.get(kind)?.push(result);
      console.log(line(String(round), kind, result, events));
    }
  }
  const all = [...runs.values()].flat();
  if (new Set(all.map(({ trades, grossUsd }) => `${trades} ${grossUsd}`)).size !== 1)
    throw new Error('the indexers do not hold the same trades: the figures mean nothing');
  console.log(
    `\nmedians of ${rounds} rounds, ${events} events, every database holds the same ${all[0]?.trades} trades`,
  );
  for (const [kind, list] of runs) console.log(line('', kind, medianRun(list), events));
  await showStages(setting, join(setting.database.home, 'profile'), events);

  const speed = (kind: keyof typeof kinds): number =>
    median((runs.get(kind) as Run[]).map((run) => events / workMs(run)));
  console.log(`vs-default ${(speed('ours') / speed('Ponder as it comes')).toFixed(2)}`);
  console.log(`vs-freed ${(speed('ours') / speed('Ponder freed')).toFixed(2)}`);
  // The last line is by CPU: seconds on a shared machine say more of the neighbours.
  const cpu = (kind: keyof typeof kinds): number =>
    median((runs.get(kind) as Run[]).map((run) => run.cpuMs + run.databaseCpuMs));
  console.log(`ratio ${(cpu('ours') / cpu('Ponder freed')).toFixed(3)} of the CPU, own process and database`);
};

interface OwnRun extends Run {
  events: number;
  figures: Figures;
}

const runOurs = (setting: Setting, profile?: string): Promise<OwnRun> =>
  inOwnDatabase(setting.database, async (databaseUrl) => {
    const { chain } = setting;
    const before = serverCpu(setting);
    let indexer: OwnIndexer | undefined;
    try {
      indexer = await startOwnIndexer({ chain, rpcUrl: chain.rpcUrl, databaseUrl, ...(profile ? { profile } : {}) });
      const figures = await indexer.figures();
      const counted = await countIndexed(databaseUrl);
      const { bootMs, readyMs } = indexer;
      const cpuMs = figures.cpuMs;
      return { ...counted, bootMs, readyMs, figures, cpuMs, rssMiB: figures.peakRssMiB, ...since(setting, before) };
    } finally {
      await indexer?.stop();
    }
  });

const runPonder = (setting: Setting, urls: number): Promise<Run> =>
  inOwnDatabase(setting.database, async (databaseUrl) => {
    const { chain } = setting;
    const before = serverCpu(setting);
    const rpcUrls = urls === 1 ? [chain.rpcUrl] : Array.from({ length: urls }, (_, i) => `${chain.rpcUrl}/?${i}`);
    const { chainId, launchpad, startBlock } = chain.deployment;
    const ponder = await startPonder({ chainId, launchpad, startBlock, rpcUrls, databaseUrl, pollMs: 1000 });
    try {
      const { bootMs, readyMs } = ponder;
      const pid = ponder.child.pid as number;
      const used = { cpuMs: treeCpuMs(pid), rssMiB: peakRssMiB(pid), ...since(setting, before) };
      return { ...(await ponder.total()), bootMs, readyMs, ...used };
    } finally {
      await ponder.stop();
    }
  });

/** Where the time goes in one more run of ours, with a profiler in the process (so a little slower). */
const showStages = async (setting: Setting, folder: string, events: number): Promise<void> => {
  const result = await runOurs(setting, folder);
  const perEvent = (ms: number): string => ((ms * 1000) / events).toFixed(2);
  console.log('\nours, stage by stage, µs of an event');
  for (const [part, ms] of profileParts(folder))
    console.log(`  own process: ${part}`.padEnd(44), perEvent(ms).padStart(8));
  console.log('  node (anvil), CPU'.padEnd(44), perEvent(result.nodeCpuMs).padStart(8));
  console.log('  database server, CPU'.padEnd(44), perEvent(result.databaseCpuMs).padStart(8));
  console.log(
    '  a statement is with the database, elapsed'.padEnd(44),
    perEvent(result.figures.databaseMs).padStart(8),
  );
  console.log('  everything, elapsed'.padEnd(44), perEvent(workMs(result)).padStart(8), '\n');
};

// ---------------------------------------------------------------- measuring

const serverCpu = ({ chain, serverPid }: Setting) => ({
  nodeCpuMs: treeCpuMs(chain.pid),
  databaseCpuMs: treeCpuMs(serverPid),
});

const since = (setting: Setting, before: ReturnType<typeof serverCpu>): ReturnType<typeof serverCpu> => {
  const now = serverCpu(setting);
  return { nodeCpuMs: now.nodeCpuMs - before.nodeCpuMs, databaseCpuMs: now.databaseCpuMs - before.databaseCpuMs };
};

const serverPidOf = async ({ db }: BenchDatabase): Promise<number> => {
  const { rows } = await sql<{ data_directory: string }>`show data_directory`.execute(db);
  return Number.parseInt(readFileSync(join(rows[0]?.data_directory ?? '', 'postmaster.pid'), 'utf8'), 10);
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const medianRun = (list: readonly Run[]): Run => {
  const of = (pick: (run: Run) => number): number => median(list.map(pick));
  return {
    trades: list[0]?.trades ?? 0,
    grossUsd: list[0]?.grossUsd ?? 0n,
    bootMs: of((run) => run.bootMs),
    readyMs: of((run) => run.readyMs),
    cpuMs: of((run) => run.cpuMs),
    rssMiB: of((run) => run.rssMiB),
    nodeCpuMs: of((run) => run.nodeCpuMs),
    databaseCpuMs: of((run) => run.databaseCpuMs),
  };
};

const workMs = ({ readyMs, bootMs }: Run): number => readyMs - bootMs;

const line = (round: string, kind: string, result: Run, events: number): string => {
  const perEvent = (ms: number): string => ((ms * 1000) / events).toFixed(1);
  return row([
    round,
    kind,
    ((events / workMs(result)) * 1000).toFixed(0),
    (workMs(result) / 1000).toFixed(2),
    (result.bootMs / 1000).toFixed(2),
    perEvent(result.cpuMs),
    perEvent(result.nodeCpuMs),
    perEvent(result.databaseCpuMs),
    result.rssMiB.toFixed(0),
  ]);
};

const row = ([round = '', kind = '', ...cells]: string[]): string =>
  round.padEnd(7) + kind.padEnd(20) + cells.map((cell) => cell.padStart(Math.max(10, cell.length + 2))).join('');
