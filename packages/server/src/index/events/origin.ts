import type { Hash } from '@mintage/protocol';

/** A block as the place where a window of time ends. */
export interface Moment {
  block: number;
  /** Of its header. */
  time: Date;
}

/** Position of an event in the history of its chain. */
export interface Origin {
  block: number;
  blockHash: Hash;
  txHash: Hash;
  /** Place in the block. */
  logIndex: number;
  /** Of the block. */
  time: Date;
}

/** A decoded event: its own fields, and where it stands. Amounts are base units. */
export type Happened<Name extends string, Fields> = Fields & { name: Name; at: Origin };
