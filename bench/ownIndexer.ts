import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DevChain } from '@mintage/devnet';
import { migrate, openDatabase } from '@mintage/server/db';
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
  chain: DevChain;
  rpcUrl: string;
  databaseUrl: string;
  pollMs?: number;
  isDeaf?: boolean;
  /** Folder for a profile of where the process spends its time. */
  profile?: string;
}

/** Starts our indexer as a process on an empty database, and resolves when it holds the history. */
export const startOwnIndexer = async (options: OwnIndexerOptions): Promise<OwnIndexer> => {
  const { chain, deployment } = options.chain;
  const started = performance.now();
  const db = openDatabase(options.databaseUrl, { maxConnections: 1 });
  await migrate(db).finally(() => db.destroy());
  const order: IndexerOrder = {
    chain,
    deployment,
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
