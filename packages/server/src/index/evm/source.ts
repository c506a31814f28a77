import type { Hex } from 'viem';
import { addressOf, arrayOf, fieldsOf, hashOf, hexOf, NonsenseError, quantityOf } from '../../chain/evm/answers.ts';
import {
  type Block,
  chainId,
  getBlock,
  getBlockByHash,
  getBlockReceipts,
  getLogs,
  getTransactionReceipt,
  type Receipt,
} from '../../chain/evm/calls.ts';
import { type RpcCall, RpcError, type Wire } from '../../chain/wire.ts';
import { inOrder, type RawLog } from '../events/evm/log.ts';
import { slices, together } from '../sync/together.ts';
import { UnknownBlockError } from '../sync/UnknownBlockError.ts';
import { bloomOf, contains } from './bloom.ts';
import type { EvmHeader, Head } from './header.ts';

/** The requests that following a chain needs. */
export interface ChainSource {
  /** EIP-155. */
  identity(): Promise<number>;
  head(): Promise<Head>;
  /** @returns One per number; undefined where the provider has no such block. */
  headers(numbers: readonly number[]): Promise<(EvmHeader | undefined)[]>;
  /** Logs of these contracts, of one block by its hash or of a range; without a time where the provider gives none. */
  logs(filter: LogFilter, addresses: readonly Hex[], topics: readonly Hex[]): Promise<UntimedLog[]>;
  /**
   * Every log of these blocks, of any contract, read from the receipts and checked against the headers' blooms, so that
   * none is missing. Absent where a source has no receipts.
   */
  wholeBlocks?(headers: readonly EvmHeader[]): Promise<UntimedLog[]>;
}

export type LogFilter = { blockHash: Hex } | { from: number; to: number };
export type UntimedLog = Omit<RawLog, 'timestamp'> & { timestamp?: number | undefined };

/** A refusal says something about the question, and so does not having the block. */
export const isAnswer = (error: unknown): boolean => error instanceof RpcError || error instanceof UnknownBlockError;

const readTimeoutMs = 5_000;
const logsTimeoutMs = 20_000;
/** Longest list of addresses in one request; providers refuse much longer ones. */
const addressesPerCall = 500;
/** Most calls in one batch; many providers take no more. */
const callsPerBatch = 64;

/** @param hasBlooms - False on chains whose headers' blooms mean nothing. */
export const rpcSource = (wire: Wire, { hasBlooms = true }: { hasBlooms?: boolean } = {}): ChainSource => {
  let hasBlockReceipts = true;

  const batches = async <T>(calls: readonly RpcCall<T>[]): Promise<T[]> =>
    (await together(slices(calls, callsPerBatch), (part) => wire.batch(part, readTimeoutMs))).flat();

  const receiptsOf = async (header: EvmHeader): Promise<UntimedLog[]> => {
    if (hasBlockReceipts) {
      try {
        return receiptLogs(await wire.request(getBlockReceipts(header.hash), readTimeoutMs), header);
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
      }
    }
    const block = await wire.request(getBlockByHash(header.hash), readTimeoutMs);
    if (block === null) throw new UnknownBlockError(header.hash);
    const hashes = block.transactions.map(hashOf);
    const logs = receiptLogs(await batches(hashes.map(getTransactionReceipt)), header);
    hasBlockReceipts = false;
    return logs;
  };

  return {
    identity: () => wire.request(chainId(), readTimeoutMs),

    head: async () => {
      const head = await wire.request(getBlock('latest'), readTimeoutMs);
      if (head === null) throw new NonsenseError('no newest block');
      return headerOf(head, hasBlooms);
    },

    headers: async (numbers) => {
      const found = await batches(numbers.map((number) => getBlock(number)));
      for (const [i, header] of found.entries()) {
        if (header !== null && header.number !== numbers[i]) {
          throw new NonsenseError(`block ${header.number} in the place of ${numbers[i]}`);
        }
      }
      return found.map((header) => (header === null ? undefined : headerOf(header, hasBlooms)));
    },

    logs: async (filter, addresses, topics) => {
      const read = async (some: readonly Hex[]): Promise<UntimedLog[]> => {
        const found = await wire.request(getLogs(filter, some, topics), logsTimeoutMs);
        return found.map((log) => requireInside(logOf(log), filter));
      };
      return inOrder((await together(slices(addresses, addressesPerCall), read)).flat());
    },

    wholeBlocks: async (headers) => (await together(headers, receiptsOf)).flat(),
  };
};

// ---------------------------------------------------------------- what providers answer, checked

const headerOf = ({ number, hash, parentHash, timestamp, logsBloom }: Block, hasBlooms: boolean): EvmHeader => ({
  number,
  hash,
  parentHash,
  timestamp,
  logsBloom: hasBlooms ? hexOf(logsBloom, 514) : undefined,
});

const logOf = (value: unknown): UntimedLog => {
  const log = fieldsOf(value);
  return {
    address: addressOf(log.address),
    topics: arrayOf(log.topics).map((topic) => hashOf(topic)),
    data: hexOf(log.data),
    blockNumber: quantityOf(log.blockNumber),
    blockHash: hashOf(log.blockHash),
    txHash: hashOf(log.transactionHash),
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
 * The logs of a block's receipts, checked: their numbers have no gap, and together they explain every bit of the
 * header's bloom. Extra bits are accepted, because some chains add logs of their own to a block.
 */
const receiptLogs = (receipts: readonly (Pick<Receipt, 'logs'> | null)[] | null, header: EvmHeader): UntimedLog[] => {
  if (receipts === null) throw new UnknownBlockError(header.hash);
  const found = receipts.flatMap((receipt) => {
    if (receipt === null) throw new UnknownBlockError(header.hash);
    return receipt.logs.map(logOf);
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
