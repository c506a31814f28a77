import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Deployment, Eid } from '@mintage/protocol';
import type { Kysely } from 'kysely';
import { listenForHeads } from '../chain/evm/newHeads.ts';
import { logOfChain, Provider } from '../chain/provider.ts';
import { isSocket } from '../chain/rpc.ts';
import { answerBytes, Wire } from '../chain/wire.ts';
import type { Database } from '../db/chainTables.ts';
import type { Log } from '../log.ts';
import { type ChainContext, chainContext } from './chainContext.ts';
import { keepPruned } from './outbox/outbox.ts';
import { registerChain } from './registerChain.ts';
import { agreedSource } from './sync/agreedSource.ts';
import { type ChainSource, isAnswer, rpcSource } from './sync/source.ts';
import { Worker } from './worker.ts';

export type { Log } from '../log.ts';
export { forgetChain } from './forgetChain.ts';
export { type News, publish } from './outbox/outbox.ts';
export { notifyChannel } from './store/store.ts';

export interface IndexedChain {
  /** The entry of the chain table, or the parts of it that the indexer needs. */
  chain: { slug: string; eid: Eid; family?: string; finalityBlocks?: number | null };
  deployment: Deployment;
  /**
   * Providers, at least one over HTTP; with three independent ones, one may lie. A WebSocket address only announces
   * blocks; HTTP addresses are also tried as WebSocket.
   */
  rpcUrls: readonly string[];
  /** Overrides the chain's own: blocks below the head that are never expected to be reorganised. */
  finalityBlocks?: number;
}

export interface IndexerConfig {
  /** With its tables (`migrate(db)`) and a connection to spare per chain. */
  db: Kysely<Database>;
  chains: readonly IndexedChain[];
  log: Log;
  /** Pause at the head before asking for the next block; 100 milliseconds when absent. */
  pollMs?: number;
}

export interface Indexer {
  /** Resolves once every chain's tables hold the block that was its head at the call. Waits for a chain that is down. */
  caughtUp(): Promise<void>;
  /** Stops every chain's worker at its next pause; unfinished work is rolled back. */
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
  const register = (i: number): Promise<void> =>
    registerChain(db, contexts[i] as ChainContext, (config.chains[i] as IndexedChain).deployment);
  for (const i of contexts.keys()) await register(i);
  const wires: Wire[] = [];
  const wireTo = (url: string): Wire => {
    const wire = new Wire(url, answerBytes.logs);
    wires.push(wire);
    return wire;
  };
  const workers = config.chains.map((indexed, i) => {
    const { chain, finalityBlocks } = indexed;
    const context = contexts[i] as ChainContext;
    return new Worker({
      db,
      chain: context,
      source: sourceOf(indexed, log, wireTo),
      finalityBlocks: finalityBlocks ?? chain.finalityBlocks ?? defaultFinalityBlocks,
      pollMs,
      log,
      owner,
      register: () => register(i),
    });
  });
  const listeners = config.chains.flatMap(({ rpcUrls }, i) =>
    socketUrls(rpcUrls).map((url) => listenForHeads(url, (block) => workers[i]?.announced(block))),
  );
  const pruning = keepPruned(db, log);
  return {
    caughtUp: async () => {
      await Promise.all(workers.map((worker) => worker.caughtUp()));
    },
    stop: async () => {
      for (const listener of listeners) listener.stop();
      await Promise.all([pruning.stop(), ...workers.map((worker) => worker.stop())]);
      await Promise.all(wires.map((wire) => wire.close()));
    },
  };
};

const socketUrls = (urls: readonly string[]): string[] => [...new Set(urls.map((url) => url.replace(/^http/, 'ws')))];

const sourceOf = (
  { chain, deployment, rpcUrls }: IndexedChain,
  log: Log,
  wireTo: (url: string) => Wire,
): ChainSource => {
  const hasBlooms = chain.family !== 'eravm'; // its block headers have empty bloom filters
  const { chainId } = deployment;
  const health = logOfChain(log, chain.slug);
  const urls = rpcUrls.filter((url) => !isSocket(url));
  return agreedSource(
    urls.map((url) => {
      const line = rpcSource(wireTo(url), { hasBlooms });
      return new Provider({ name: new URL(url).host, line, chainId, log: health, isAnswer });
    }),
  );
};
