import type { Hex, RawLog } from '../events/log.ts';
import type { Header } from './changes.ts';
import type { Rpc } from './rpc.ts';

/** What following a chain needs from it. */
export interface ChainSource {
  chainId(): Promise<number>;
  head(): Promise<Header>;
  /** @returns One per number; undefined where the provider has no such block. */
  headers(numbers: readonly number[]): Promise<(Header | undefined)[]>;
  /** Logs of these contracts, of one block by its hash or of a range; without a time where the provider gives none. */
  logs(
    filter: { blockHash: Hex } | { from: number; to: number },
    addresses: readonly Hex[],
    topics: readonly Hex[],
  ): Promise<UntimedLog[]>;
}

export type UntimedLog = Omit<RawLog, 'timestamp'> & { timestamp?: number };

const readTimeoutMs = 5_000;
const logsTimeoutMs = 20_000;
/** Longest list of addresses in one request; providers refuse much longer ones. */
const addressesPerCall = 500;

interface RpcHeader {
  number: Hex;
  hash: Hex;
  parentHash: Hex;
  timestamp: Hex;
}

interface RpcLog {
  address: Hex;
  topics: Hex[];
  data: Hex;
  blockNumber: Hex;
  blockHash: Hex;
  transactionHash: Hex;
  logIndex: Hex;
  blockTimestamp?: Hex;
  removed?: boolean;
}

const quantity = (number: number): Hex => `0x${number.toString(16)}`;

const headerOf = (header: RpcHeader): Header => ({
  number: Number(header.number),
  hash: header.hash,
  parentHash: header.parentHash,
  timestamp: Number(header.timestamp),
});

const logOf = (log: RpcLog): UntimedLog => ({
  address: log.address.toLowerCase() as Hex,
  topics: log.topics,
  data: log.data,
  blockNumber: Number(log.blockNumber),
  blockHash: log.blockHash,
  txHash: log.transactionHash,
  logIndex: Number(log.logIndex),
  timestamp: log.blockTimestamp === undefined ? undefined : Number(log.blockTimestamp),
});

export const rpcSource = (rpc: Rpc): ChainSource => ({
  chainId: async () => Number(await rpc.call('eth_chainId', [], readTimeoutMs)),

  head: async () => headerOf((await rpc.call('eth_getBlockByNumber', ['latest', false], readTimeoutMs)) as RpcHeader),

  headers: async (numbers) => {
    if (numbers.length === 0) return [];
    const calls = numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), false] }));
    const found = (await rpc.batch(calls, readTimeoutMs)) as (RpcHeader | null)[];
    return found.map((header) => (header === null ? undefined : headerOf(header)));
  },

  logs: async (filter, addresses, topics) => {
    const place = 'blockHash' in filter ? filter : { fromBlock: quantity(filter.from), toBlock: quantity(filter.to) };
    const calls = Array.from({ length: Math.ceil(addresses.length / addressesPerCall) }, (_, i) => ({
      method: 'eth_getLogs',
      params: [
        { ...place, address: addresses.slice(i * addressesPerCall, (i + 1) * addressesPerCall), topics: [topics] },
      ],
    }));
    if (calls.length === 0) return [];
    const answers = (await rpc.batch(calls, logsTimeoutMs)) as RpcLog[][];
    return answers.flat().map(logOf);
  },
});
