import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServedChain } from '@mintage/server';
import { migrate, openDatabase } from '@mintage/server/db';
import { sql } from 'kysely';
import type { IndexerOrder } from '../packages/server/test/index/indexerProcess.ts';
import type { Figures } from './meter.ts';
import { stopChild } from './pinned.ts';

const program = fileURLToPath(new URL('../packages/server/test/index/indexerProcess.ts', import.meta.url));
const meter = new URL('meter.ts', import.meta.url).href;

export interface OwnIndexer {
  child: ChildProcess;
  /** From the start of the process, migration included, to the index being at work, and to all of the history being indexed. */
  bootMs: number;
  readyMs: number;
  figures(): Promise<Figures>;
  stop(): Promise<void>;
}

export interface OwnIndexerOptions {
  chain: Pick<ServedChain, 'chain' | 'deployment' | 'local'>;
  rpcUrl: string;
  databaseUrl: string;
  pollMs?: number;
  isDeaf?: boolean;
  /** Folder for a profile of where the process spends its time. */
  profile?: string;
}

/** Starts our indexer as a process on an empty database, and resolves when it holds the history. */
export const startOwnIndexer = async (options: OwnIndexerOptions): Promise<OwnIndexer> => {
  const { chain, deployment, local } = options.chain;
  const started = performance.now();
  const db = openDatabase(options.databaseUrl, { maxConnections: 1 });
  await migrate(db).finally(() => db.destroy());
  const order: IndexerOrder = {
    chain,
    deployment,
    ...(local === undefined ? {} : { local }),
    rpcUrls: [options.rpcUrl],
    databaseUrl: options.databaseUrl,
    finalityBlocks: { index: 64, sign: 64 },
    ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
    ...(options.isDeaf === undefined ? {} : { isDeaf: options.isDeaf }),
  };
  const profile = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  const child = spawn(process.execPath, [...profile, '--import', meter, program], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      // As `npm start` has it.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
      INDEXER: JSON.stringify(order),
      INDEXER_LOG: 'yes',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const hear = async (): Promise<unknown> => {
    const waiting = new AbortController();
    const { signal } = waiting;
    const ended = once(child, 'exit', { signal }).then(() => {
      throw new Error('our indexer ended');
    });
    try {
      return (await Promise.race([once(child, 'message', { signal }), ended]))[0];
    } finally {
      waiting.abort();
      ended.catch(() => {}); // the abort itself
    }
  };
  const ask = (message: string): Promise<unknown> => {
    child.send(message);
    return hear();
  };
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  try {
    await hear();
    const bootMs = performance.now() - started;
    await ask('caughtUp');
    const readyMs = performance.now() - started;
    return { child, bootMs, readyMs, figures: () => ask('figures') as Promise<Figures>, stop };
  } catch (error) {
    await stopChild(child);
    throw error;
  }
};

/** What the tables hold: events are trades, transfers and creations. */
export const countIndexed = async (url: string): Promise<{ trades: number; grossUsd: bigint; events: number }> => {
  const db = openDatabase(url, { maxConnections: 1 });
  try {
    const { rows } = await sql<{ trades: number; gross_usd: bigint; events: number }>`select
      (select count(*) from trade) as trades,
      (select sum(gross_usd) from trade) as gross_usd,
      (select count(*) from trade) + (select count(*) from transfer) + (select count(*) from token) as events`.execute(
      db,
    );
    const [counted] = rows;
    if (counted === undefined) throw new Error('the database does not count');
    return { trades: counted.trades, grossUsd: counted.gross_usd, events: counted.events };
  } finally {
    await db.destroy();
  }
};
