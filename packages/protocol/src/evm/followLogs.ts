import { type Abi, type AbiEvent, encodeEventTopics, type Hex, type Log } from 'viem';

/** One JSON-RPC request. */
export type EthRequest = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Where reading goes on. */
export interface LogCursor {
  /** First block whose logs are not read yet. */
  nextBlock: number;
}

export interface FollowOptions {
  request: EthRequest;
  /** Of the contract whose logs are read. */
  address: Hex;
  /** First topics of the wanted events. */
  topics: readonly Hex[];
  /** Goes on from here, and is moved on. */
  cursor: LogCursor;
  /** Longest range of blocks in one request; halved when the provider refuses. */
  pageBlocks?: number | undefined;
}

/** First topics of these events. */
export const topicsOf = (abi: Abi, eventNames: readonly string[]): Hex[] =>
  eventNames.map((eventName) => {
    const event = abi.find((item) => item.type === 'event' && item.name === eventName) as AbiEvent;
    return encodeEventTopics({ abi: [event] })[0] as Hex;
  });

/** Blocks that are read again the next time: what they hold may still change. */
const unsettledBlocks = 1_000;
const smallestPage = 16;

/**
 * Hands over the logs up to a block. Some come again the next time, and logs of blocks that left the chain came before: what
 * keeps them has to bear both.
 *
 * @throws What `request` throws.
 */
export const followLogs = async (
  { request, address, topics, cursor, pageBlocks = 2_000 }: FollowOptions,
  head: number,
  add: (logs: Log[]) => void,
): Promise<void> => {
  let page = pageBlocks;
  let from = cursor.nextBlock;
  while (from <= head) {
    const to = Math.min(head, from + page - 1);
    const range = { fromBlock: quantity(from), toBlock: quantity(to) };
    try {
      add((await request('eth_getLogs', [{ address, topics: [topics], ...range }])) as Log[]);
    } catch (error) {
      if (page <= smallestPage) throw error;
      page = Math.floor(page / 2);
      continue;
    }
    from = to + 1;
    cursor.nextBlock = Math.max(cursor.nextBlock, Math.min(from, head + 1 - unsettledBlocks));
  }
};

export interface BlockRead {
  number: number;
  hash: Hex;
  /** Unix seconds. */
  time: number;
}

interface RpcBlock {
  number: Hex;
  hash: Hex;
  timestamp: Hex;
}

export const readHead = async (request: EthRequest): Promise<BlockRead> => {
  const { number, hash, timestamp } = (await request('eth_getBlockByNumber', ['latest', false])) as RpcBlock;
  return { number: Number(number), hash, time: Number(timestamp) };
};

/** @throws Error when the block is not in the chain any more. */
export const requireBlock = async (request: EthRequest, { number, hash }: BlockRead): Promise<void> => {
  const again = (await request('eth_getBlockByNumber', [quantity(number), false])) as RpcBlock | null;
  if (again?.hash !== hash) throw new Error(`block ${number} left the chain while it was read`);
};

const quantity = (number: number): Hex => `0x${number.toString(16)}`;
