import type { Hex, RawLog } from '../events/log.ts';

export interface Header {
  number: number;
  hash: Hex;
  parentHash: Hex;
  /** Unix seconds. */
  timestamp: number;
}

/** The next blocks of the chain, with all logs that may be ours, in order. */
export interface BlockChange {
  type: 'block';
  /** First block of the page; the one after the position. */
  from: number;
  /** Last block of the page. */
  to: Header;
  /** Headers to remember: every block that may still be reorganised, and `to`. */
  headers: Header[];
  logs: RawLog[];
  head: number;
  /** Blocks up to here are never undone; at most `to`. */
  finalized: number;
}

/** What was kept to undo blocks up to `number` is not needed any more. */
export interface FinalizeChange {
  type: 'finalize';
  number: number;
}

/** The blocks after `ancestor` are not of the chain any more. */
export interface ReorgChange {
  type: 'reorg';
  ancestor: { number: number; hash: Hex };
}

/** Nothing to do: the position is the head, or the provider is behind. */
export interface IdleChange {
  type: 'idle';
  head: number;
}

export type Change = BlockChange | FinalizeChange | ReorgChange | IdleChange;
