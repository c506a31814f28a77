import type { ServedChain } from '../chain/servedChain.ts';
import type { Log } from '../log.ts';
import type { Position } from './position.ts';
import type { Change } from './sync/changes.ts';

/** One chain as the indexer follows it. What differs between families stands behind this; `evm/` is the first. */
export interface Follower {
  /** @throws Error when the providers serve another chain. */
  check(): Promise<void>;
  /**
   * Yields, without end, the changes that lead from `position` along the chain. The caller applies each change and moves
   * `position` before asking for the next; after `idle` and `unsettled` it may wait as long as it likes.
   */
  follow(position: Position): AsyncGenerator<Change, never, void>;
  stop(): Promise<void>;
}

/** @param heard - Called with the number of each block that a provider announces by itself. */
export type CreateFollower = (served: ServedChain, log: Log, heard: (block: number) => void) => Follower;
