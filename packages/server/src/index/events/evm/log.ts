import type { Address } from '@mintage/protocol';
import type { Hex } from 'viem';
import type { Origin } from '../origin.ts';

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

/** The contract that sent a log, as a field of its event. */
export const senderOf = ({ address }: RawLog): Address => address;

export const originOf = (log: RawLog): Origin => ({
  block: log.blockNumber,
  blockHash: log.blockHash,
  txHash: log.txHash,
  logIndex: log.logIndex,
  time: new Date(log.timestamp * 1000),
});

/** The logs in the order of the chain and without repeats, whatever the provider sent. */
export const inOrder = <Log extends Pick<RawLog, 'blockNumber' | 'logIndex'>>(logs: Log[]): Log[] => {
  if (logs.every((log, i) => i === 0 || isBefore(logs[i - 1] as Log, log))) return logs;
  const sorted = logs.toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
  return sorted.filter((log, i) => i === 0 || isBefore(sorted[i - 1] as Log, log));
};

const isBefore = (one: Pick<RawLog, 'blockNumber' | 'logIndex'>, other: typeof one): boolean =>
  one.blockNumber < other.blockNumber || (one.blockNumber === other.blockNumber && one.logIndex < other.logIndex);
