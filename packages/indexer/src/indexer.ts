import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Deployment } from '@mintage/protocol';
import type { Kysely } from 'kysely';
import { chainContext } from './chainContext.ts';
import type { Database } from './db/tables.ts';
import { registerChain } from './registerChain.ts';
import { Rpc } from './sync/rpc.ts';
import { rpcSource } from './sync/source.ts';
import { type Log, Worker } from './worker.ts';

export { notifyChannel } from './store/store.ts';
export type { Log } from './worker.ts';

export interface IndexedChain {
  /** The entry of the chain table, or what it says of the chain. */
  chain: { slug: string; eid: number; finalityBlocks?: number | null };
  deployment: Deployment;
  /** Providers in order of preference; at least one. */
  rpcUrls: readonly string[];
  /** Overrides the chain's own: blocks below the head that are never expected to be reorganised. */
  finalityBlocks?: number;
}

export interface IndexerConfig {
  /** With the chain tables (`migrate(db, chainMigrations)`) and a connection to spare per chain. */
  db: Kysely<Database>;
  chains: readonly IndexedChain[];
  log: Log;
  /** Pause at the head before asking for the next block; 100 milliseconds when absent. */
  pollMs?: number;
}

export interface Indexer {
  /** Resolves once every chain's tables hold the block that was its head at the call. Waits for a chain that is down. */
  caughtUp(): Promise<void>;
  /** Ends every chain's worker at its next pause; nothing half done stays. */
  stop(): Promise<void>;
}

const defaultPollMs = 100;
const defaultFinalityBlocks = 64;

/**
 * Follows the chains and keeps the tables of `db` equal to them. Several processes may run it on one database: each
 * chain is written by one of them.
 *
 * @throws When the database belongs to another deployment.
 */
export const startIndexer = async (config: IndexerConfig): Promise<Indexer> => {
  const { db, log, pollMs = defaultPollMs } = config;
  const owner = `${hostname()} ${process.pid} ${randomUUID()}`;
  const contexts = config.chains.map(({ chain, deployment }) => chainContext(chain, deployment));
  for (const [i, context] of contexts.entries()) {
    await registerChain(db, context, (config.chains[i] as IndexedChain).deployment);
  }
  const workers = config.chains.map(({ chain, rpcUrls, finalityBlocks }, i) => {
    const context = contexts[i] as (typeof contexts)[number];
    return new Worker({
      db,
      chain: context,
      source: rpcSource(new Rpc(rpcUrls)),
      finalityBlocks: finalityBlocks ?? chain.finalityBlocks ?? defaultFinalityBlocks,
      pollMs,
      log,
      owner,
    });
  });
  return {
    caughtUp: async () => {
      await Promise.all(workers.map((worker) => worker.caughtUp()));
    },
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
};
