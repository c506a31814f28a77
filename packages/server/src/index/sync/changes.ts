import type { Hash } from '@mintage/protocol';
import type { ChainEvent } from '../handlers/events.ts';
import type { Pace } from './pace.ts';

export interface Header {
  number: number;
  hash: Hash;
  parentHash: Hash;
  /** Unix seconds. */
  timestamp: number;
}

/** The next blocks of the chain, with all their events, in order. */
export interface BlockChange {
  type: 'block';
  /** First block of the page; the one after the position. */
  from: number;
  /** Last block of the page. */
  to: Header;
  /** Headers to remember: every block that may still be reorganised, and `to`. */
  headers: Header[];
  events: ChainEvent[];
  /** Newest block of the chain, as far as it is known. */
  head: number;
  /** Blocks up to here are never undone; at most `to`. */
  finalized: number;
  /** How fast a backfill goes; null at the head. */
  pace: Pace | null;
}

/** Undo information of blocks up to `number` is no longer needed. */
export interface FinalizeChange {
  type: 'finalize';
  number: number;
}

/** The blocks after `ancestor` have left the chain. */
export interface ReorgChange {
  type: 'reorg';
  ancestor: { number: number; hash: Hash };
}

/** Nothing to do: the position is the head, or the providers are behind. */
export interface IdleChange {
  type: 'idle';
  /** Newest block of the chain, as far as it is known. */
  head: number;
}

/** The providers' answers are inconsistent: the chain moves, or some of them lag. Try again in a moment. */
export interface UnsettledChange {
  type: 'unsettled';
}

export type Change = BlockChange | FinalizeChange | ReorgChange | IdleChange | UnsettledChange;
