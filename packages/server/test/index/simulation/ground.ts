import type { Kysely } from 'kysely';
import type { Database } from '../../../src/db/chainTables.ts';
import type { RunningDatabase } from '../../../src/db/startDatabase.ts';

/** How many blocks below the head may be reorganised, on every ground. */
export const finalityBlocks = 64;

/** A chain that does what the simulation says, and indexers of it. */
export interface Ground {
  /** Number of the newest block. */
  height(): Promise<number>;
  /** Blocks with acts of random people, the same for the same seed. */
  mine(count: number): Promise<void>;
  /** Drops the newest blocks and grows another branch in their place. */
  reorg(depth: number, grow: number): Promise<void>;
  /** A provider fails or lies until `honest`, in one of its many ways: each has its turn. */
  trouble(): void;
  /** Gives the indexer the time to fall for it. */
  suffer(): Promise<void>;
  honest(): void;
  /** An indexer under test. */
  start(database: RunningDatabase): Promise<Subject>;
  /** Fills an empty database from the chain's first block, by an indexer that nobody disturbs. */
  rebuild(db: Kysely<Database>, finalityBlocks: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Subject {
  /** The tables hold what was the head at the call. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
  /** SIGKILL, where the indexer is a process of its own. */
  kill?(): Promise<void>;
}
