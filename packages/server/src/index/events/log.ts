import type { Hex } from 'viem';

export type { Hex };

/** One log as the provider gave it, all hex text in lower case. */
export interface RawLog {
  address: Hex;
  topics: readonly Hex[];
  data: Hex;
  blockNumber: number;
  blockHash: Hex;
  txHash: Hex;
  logIndex: number;
  /** Unix seconds, from the block's header. */
  timestamp: number;
}

/** A block as the place where a window of time ends. */
export interface Moment {
  block: number;
  time: Date;
}

/** Position of an event in the history of its chain. */
export interface Origin {
  block: number;
  blockHash: Hex;
  txHash: Hex;
  logIndex: number;
  time: Date;
}

export const originOf = (log: RawLog): Origin => ({
  block: log.blockNumber,
  blockHash: log.blockHash,
  txHash: log.txHash,
  logIndex: log.logIndex,
  time: new Date(log.timestamp * 1000),
});

/** Sorts logs in the order of the chain and removes repeats, whatever the provider sent. */
export const inOrder = <Log extends Pick<RawLog, 'blockNumber' | 'logIndex'>>(logs: readonly Log[]): Log[] => {
  const sorted = logs.toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
  return sorted.filter((log, i) => {
    const previous = sorted[i - 1];
    return previous?.blockNumber !== log.blockNumber || previous.logIndex !== log.logIndex;
  });
};
