import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Kysely } from 'kysely';
import type { ServedChain } from '../chain/servedChain.ts';
import type { Database } from '../db/chainTables.ts';
import type { Log } from '../log.ts';
import { chainContext } from './chainContext.ts';
import type { CreateFollower } from './follower.ts';
import { keepOldOut } from './keepOldOut.ts';
import { registerChain } from './registerChain.ts';
import { Worker } from './worker.ts';

export { type News, publish } from '../db/outbox.ts';
export type { Log } from '../log.ts';
export { forgetChain } from './forgetChain.ts';

export interface IndexerConfig {
  /** With its tables (`migrate(db)`) and a connection to spare per chain. */
  db: Kysely<Database>;
  chains: readonly ServedChain[];
  /** Makes the follower of each of them. */
  createFollower: CreateFollower;
  log: Log;
  /** Pause at the head before asking for the next block; 100 milliseconds when absent. */
  pollMs?: number;
  /** Whole months of trades, transfers and fee credits to keep, at least 2; absent or null: all. */
  historyMonths?: number | null;
}

export interface Indexer {
  /** Resolves once every chain's tables hold the block that was its head at the call. Waits for a chain that is down. */
  caughtUp(): Promise<void>;
  /** Stops every chain's worker at its next pause; unfinished work is rolled back. */
  stop(): Promise<void>;
}

const defaultPollMs = 100;

/**
 * Follows the chains and keeps the tables of `db` equal to them. Several processes may run it on one database: each
 * chain is written by one of them.
 *
 * @throws When the database belongs to another deployment.
 */
export const startIndexer = async (config: IndexerConfig): Promise<Indexer> => {
  const { db, createFollower, log, pollMs = defaultPollMs, historyMonths = null } = config;
  const owner = `${hostname()} ${process.pid} ${randomUUID()}`;
  const chains = config.chains.map((served) => {
    const chain = chainContext(served);
    return { served, chain, register: () => registerChain(db, chain, served.deployment) };
  });
  // All or none: a database of another deployment takes no row of a chain that no indexer follows. In one order, for processes that start at once.
  const inOrder = chains.toSorted((one, other) => one.chain.eid - other.chain.eid);
  await db.transaction().execute(async (tx) => {
    for (const { served, chain } of inOrder) await registerChain(tx, chain, served.deployment);
  });
  const running = chains.map(({ served, chain, register }) => {
    const follower = createFollower(served, log, (block) => worker.announced(block));
    const worker = new Worker({ db, chain, follower, pollMs, log, owner, register });
    return { follower, worker };
  });
  const keeping = keepOldOut(db, log, historyMonths);
  return {
    caughtUp: async () => {
      await Promise.all(running.map(({ worker }) => worker.caughtUp()));
    },
    stop: async () => {
      await Promise.all([keeping.stop(), ...running.map(({ worker }) => worker.stop())]);
      await Promise.all(running.map(({ follower }) => follower.stop()));
    },
  };
};
