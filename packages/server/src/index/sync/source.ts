import { type RpcCall, RpcError, type Wire } from '../../chain/wire.ts';
import { type Hex, inOrder, type RawLog } from '../events/log.ts';
import { bloomOf, contains } from './bloom.ts';
import type { Header } from './changes.ts';

/** What following a chain needs from it. */
export interface ChainSource {
  chainId(): Promise<number>;
  head(): Promise<Header>;
  /** @returns One per number; undefined where the provider has no such block. */
  headers(numbers: readonly number[]): Promise<(Header | undefined)[]>;
  /** Logs of these contracts, of one block by its hash or of a range; without a time where the provider gives none. */
  logs(filter: LogFilter, addresses: readonly Hex[], topics: readonly Hex[]): Promise<UntimedLog[]>;
  /**
   * Every log of these blocks, whoever sent it, read from the receipts and checked against the headers' blooms: none
   * is missing. Absent where a source has no receipts.
   */
  wholeBlocks?(headers: readonly Header[]): Promise<UntimedLog[]>;
}

export type LogFilter = { blockHash: Hex } | { from: number; to: number };
export type UntimedLog = Omit<RawLog, 'timestamp'> & { timestamp?: number | undefined };

/** The provider's answer does not have the form, or contradicts itself. */
export class NonsenseError extends Error {
  constructor(what: string) {
    super(`the provider answers nonsense: ${what}`);
    this.name = 'NonsenseError';
  }
}

/** The provider does not have the block that it is asked about. */
export class UnknownBlockError extends Error {
  constructor(block: number | string) {
    super(`the provider does not know block ${block}`);
    this.name = 'UnknownBlockError';
  }
}

const readTimeoutMs = 5_000;
const logsTimeoutMs = 20_000;
/** Longest list of addresses in one request; providers refuse much longer ones. */
const addressesPerCall = 500;
/** Requests of one provider that are under way together. */
const callsTogether = 4;
/** Most calls in one batch; many providers take no more. */
const callsPerBatch = 64;

/** @param hasBlooms - False on chains whose headers' blooms mean nothing. */
export const rpcSource = (wire: Wire, { hasBlooms = true }: { hasBlooms?: boolean } = {}): ChainSource => {
  let hasBlockReceipts = true;

  const batches = async <T>(calls: readonly RpcCall[], parse: (result: unknown) => T): Promise<T[]> => {
    const parts = slices(calls, callsPerBatch);
    return (await together(parts, (part) => wire.batch(part, readTimeoutMs))).flat().map(parse);
  };

  const receiptsOf = async (header: Header): Promise<UntimedLog[]> => {
    if (hasBlockReceipts) {
      try {
        return receiptLogs(
          await wire.request({ method: 'eth_getBlockReceipts', params: [header.hash] }, readTimeoutMs),
          header,
        );
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
      }
    }
    const block = await wire.request({ method: 'eth_getBlockByHash', params: [header.hash, false] }, readTimeoutMs);
    if (block === null) throw new UnknownBlockError(header.hash);
    const hashes = listAt(block, 'transactions').map((hash) => hexOf(hash, 66));
    const calls = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
    const logs = receiptLogs(await batches(calls, (receipt) => receipt), header);
    hasBlockReceipts = false;
    return logs;
  };

  return {
    chainId: async () => quantityOf(await wire.request({ method: 'eth_chainId', params: [] }, readTimeoutMs)),

    head: async () => {
      const head = await wire.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }, readTimeoutMs);
      return headerOf(head, hasBlooms);
    },

    headers: async (numbers) => {
      const calls = numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), false] }));
      const found = await batches(calls, (header) => (header === null ? undefined : headerOf(header, hasBlooms)));
      for (const [i, header] of found.entries()) {
        if (header !== undefined && header.number !== numbers[i]) {
          throw new NonsenseError(`block ${header.number} in the place of ${numbers[i]}`);
        }
      }
      return found;
    },

    logs: async (filter, addresses, topics) => {
      const place = 'blockHash' in filter ? filter : { fromBlock: quantity(filter.from), toBlock: quantity(filter.to) };
      const read = async (some: readonly Hex[]): Promise<UntimedLog[]> => {
        const query = { ...place, address: some, topics: [topics] };
        const found = await wire.request({ method: 'eth_getLogs', params: [query] }, logsTimeoutMs);
        return arrayOf(found).map((log) => requireInside(logOf(log), filter));
      };
      return inOrder((await together(slices(addresses, addressesPerCall), read)).flat());
    },

    wholeBlocks: async (headers) => (await together(headers, receiptsOf)).flat(),
  };
};

const slices = <T>(list: readonly T[], length: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / length) }, (_, i) => list.slice(i * length, (i + 1) * length));

/** Results in the order of `items`, a few under way at a time; the first error ends the rest. */
const together = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  let next = 0;
  const workInTurn = async (): Promise<void> => {
    while (next < items.length) {
      const turn = next;
      next += 1;
      try {
        results[turn] = await work(items[turn] as T);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(callsTogether, items.length) }, workInTurn));
  return results;
};

// ---------------------------------------------------------------- what providers answer, checked

const quantity = (number: number): Hex => `0x${number.toString(16)}`;

const quantityOf = (value: unknown): number => {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,13}$/i.test(value)) throw new NonsenseError('not a number');
  return Number(value);
};

/**
 * In lower case, as nearly every provider sends it: the hot path is one look at the text.
 *
 * @param length - Of the text, `0x` included; absent: any.
 */
const hexOf = (value: unknown, length?: number): Hex => {
  if (typeof value !== 'string' || value.length % 2 !== 0) throw new NonsenseError('not hexadecimal');
  if (length !== undefined && value.length !== length) throw new NonsenseError('hexadecimal of another length');
  if (/^0x[0-9a-f]*$/.test(value)) return value as Hex;
  if (/^0x[0-9a-f]*$/i.test(value)) return value.toLowerCase() as Hex;
  throw new NonsenseError('not hexadecimal');
};

const arrayOf = (value: unknown): unknown[] => {
  if (!Array.isArray(value)) throw new NonsenseError('no list');
  return value;
};

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields => {
  if (typeof value !== 'object' || value === null) throw new NonsenseError('no object');
  return value as Fields;
};

const listAt = (value: unknown, field: string): unknown[] => arrayOf(fieldsOf(value)[field]);

const headerOf = (value: unknown, hasBlooms: boolean): Header => {
  const header = fieldsOf(value);
  return {
    number: quantityOf(header.number),
    hash: hexOf(header.hash, 66),
    parentHash: hexOf(header.parentHash, 66),
    timestamp: quantityOf(header.timestamp),
    logsBloom: hasBlooms ? hexOf(header.logsBloom, 514) : undefined,
  };
};

const logOf = (value: unknown): UntimedLog => {
  const log = fieldsOf(value);
  return {
    address: hexOf(log.address, 42),
    topics: arrayOf(log.topics).map((topic) => hexOf(topic, 66)),
    data: hexOf(log.data),
    blockNumber: quantityOf(log.blockNumber),
    blockHash: hexOf(log.blockHash, 66),
    txHash: hexOf(log.transactionHash, 66),
    logIndex: quantityOf(log.logIndex),
    timestamp: log.blockTimestamp == null ? undefined : quantityOf(log.blockTimestamp),
  };
};

const requireInside = (log: UntimedLog, filter: LogFilter): UntimedLog => {
  const isInside =
    'blockHash' in filter
      ? log.blockHash === filter.blockHash
      : log.blockNumber >= filter.from && log.blockNumber <= filter.to;
  if (!isInside) throw new NonsenseError(`a log of block ${log.blockNumber}, which was not asked for`);
  return log;
};

/**
 * The logs of a block's receipts. Their numbers have no gap and together they explain every bit of the header's bloom.
 * More bits than the header has are right on chains that add logs of their own to a block.
 */
const receiptLogs = (receipts: unknown, header: Header): UntimedLog[] => {
  if (receipts === null) throw new UnknownBlockError(header.hash);
  const found = arrayOf(receipts).flatMap((receipt) => {
    if (receipt === null) throw new UnknownBlockError(header.hash);
    return listAt(receipt, 'logs').map(logOf);
  });
  const logs = inOrder(found);
  for (const [i, log] of logs.entries()) {
    if (log.blockHash !== header.hash || log.blockNumber !== header.number) {
      throw new NonsenseError(`a receipt of another block in the place of ${header.number}`);
    }
    if (log.logIndex !== i) throw new NonsenseError(`the receipts of block ${header.number} leave log ${i} out`);
  }
  if (header.logsBloom !== undefined && !contains(bloomOf(logs), header.logsBloom)) {
    throw new NonsenseError(`the receipts of block ${header.number} lack logs that its header shows`);
  }
  return logs;
};
