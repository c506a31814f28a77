import { type Hex, numberToHex } from 'viem';
import type { At } from '../agreement.ts';
import type { RpcCall } from '../wire.ts';
import {
  addressOf,
  arrayOf,
  bigQuantityOf,
  fieldsOf,
  hashOf,
  hexOf,
  NonsenseError,
  orNull,
  quantityOf,
} from './answers.ts';

/** What an EVM provider can be asked, by the names of its JSON-RPC methods, with what it answers. */

/** As well by its hash: then the answer is of that block or none. */
export type AtBlock = At | { blockHash: Hex };

export interface Block {
  number: number;
  hash: Hex;
  parentHash: Hex;
  /** Unix seconds. */
  timestamp: number;
  /** Native base units per gas; 0 on chains that have none. */
  baseFee: bigint;
  /** As the provider sends it: some chains keep none. */
  logsBloom: unknown;
  /** Hashes, or whole transactions where those are asked for. */
  transactions: readonly unknown[];
}

export interface Receipt {
  transactionHash: Hex;
  blockNumber: number;
  blockHash: Hex;
  reverted: boolean;
  /** Native base units, a rollup's data included. */
  gasPaid: bigint;
  /** As the provider sends them. */
  logs: readonly unknown[];
}

export interface Transaction {
  hash: Hex;
  from: Hex;
  /** Null for a creation of a contract. */
  to: Hex | null;
  input: Hex;
  /** Native base units. */
  value: bigint;
  /** Limit, units of gas. */
  gas: bigint;
}

export interface CallRequest {
  from?: Hex;
  to: Hex | null;
  data: Hex;
  /** Native base units. */
  value?: bigint;
  /** Limit, units of gas; absent: the provider's own. */
  gas?: bigint;
}

export const chainId = (): RpcCall<number> => ({ method: 'eth_chainId', params: [], parse: quantityOf });

export const blockNumber = (): RpcCall<number> => ({ method: 'eth_blockNumber', params: [], parse: quantityOf });

/** Null where the provider has no such block. */
export const getBlock = (at: At, { whole = false } = {}): RpcCall<Block | null> => ({
  method: 'eth_getBlockByNumber',
  params: [placeOf(at), whole],
  parse: orNull(blockOf),
});

/** Null where the provider has no such block. */
export const getBlockByHash = (hash: Hex): RpcCall<Block | null> => ({
  method: 'eth_getBlockByHash',
  params: [hash, false],
  parse: orNull(blockOf),
});

/** Null where the provider has no such block, or one of its receipts. Not every provider knows how. */
export const getBlockReceipts = (hash: Hex): RpcCall<readonly (Pick<Receipt, 'logs'> | null)[] | null> => ({
  method: 'eth_getBlockReceipts',
  params: [hash],
  parse: orNull((receipts) => arrayOf(receipts).map(orNull((receipt) => ({ logs: arrayOf(fieldsOf(receipt).logs) })))),
});

/** Null while no block holds the transaction. */
export const getTransactionReceipt = (hash: string): RpcCall<Receipt | null> => ({
  method: 'eth_getTransactionReceipt',
  params: [hash],
  parse: orNull(receiptOf),
});

/** Null when the provider knows it neither from a block nor from its pool. */
export const getTransaction = (hash: string): RpcCall<Transaction | null> => ({
  method: 'eth_getTransactionByHash',
  params: [hash],
  parse: orNull(transactionOf),
});

/** How many of the account's transactions blocks hold; never what waits in a pool. */
export const getTransactionCount = (account: Hex, at: At): RpcCall<number> => ({
  method: 'eth_getTransactionCount',
  params: [account, placeOf(at)],
  parse: quantityOf,
});

/** Native base units. */
export const getBalance = (account: Hex, at: At): RpcCall<bigint> => ({
  method: 'eth_getBalance',
  params: [account, placeOf(at)],
  parse: bigQuantityOf,
});

/** Runtime code; empty where no contract is. */
export const getCode = (account: Hex, at: At): RpcCall<Hex> => ({
  method: 'eth_getCode',
  params: [account, placeOf(at)],
  parse: (answer) => hexOf(answer),
});

/** What the call returns, its bytes. Refused with its data when it reverts. */
export const call = (request: CallRequest, at: AtBlock): RpcCall<Hex> => ({
  method: 'eth_call',
  params: [requestOf(request), placeOf(at)],
  parse: (answer) => hexOf(answer),
});

export const estimateGas = (request: CallRequest, at: At): RpcCall<bigint> => ({
  method: 'eth_estimateGas',
  params: [requestOf(request), placeOf(at)],
  parse: bigQuantityOf,
});

/** What one call of a simulation did. */
export interface SimulatedCall {
  status: Hex;
  gasUsed: Hex;
  returnData: Hex;
  logs: { address: Hex; topics: Hex[]; data: Hex }[];
  error?: { code: number; message: string; data?: unknown };
}

/** Runs the calls one after the other on top of a block; none of them is checked for its nonce or signature. */
export const simulate = (requests: readonly CallRequest[], at: At): RpcCall<readonly SimulatedCall[]> => ({
  method: 'eth_simulateV1',
  params: [
    {
      blockStateCalls: [{ calls: requests.map((request) => ({ ...requestOf(request), input: request.data })) }],
      validation: false,
      traceTransfers: false,
    },
    placeOf(at),
  ],
  parse: (blocks) => arrayOf(blocks).flatMap((block) => arrayOf(fieldsOf(block).calls) as SimulatedCall[]),
});

/** Native base units per gas. Not every provider has an opinion. */
export const maxPriorityFeePerGas = (): RpcCall<bigint> => ({
  method: 'eth_maxPriorityFeePerGas',
  params: [],
  parse: bigQuantityOf,
});

/** What it answers proves nothing: the hash is computed from the bytes. */
export const sendRawTransaction = (raw: string): RpcCall => ({ method: 'eth_sendRawTransaction', params: [raw] });

/** Logs as the provider sends them. */
export const getLogs = (
  place: { blockHash: Hex } | { from: number; to: number },
  address: readonly Hex[],
  topics: readonly Hex[],
): RpcCall<readonly unknown[]> => ({
  method: 'eth_getLogs',
  params: [
    {
      ...('blockHash' in place ? place : { fromBlock: numberToHex(place.from), toBlock: numberToHex(place.to) }),
      address,
      topics: [topics],
    },
  ],
  parse: arrayOf,
});

/** Over WebSocket: from then on each new block is announced. */
export const subscribeToHeads = { method: 'eth_subscribe', params: ['newHeads'] } as const;

// ---------------------------------------------------------------- as JSON-RPC writes it

const placeOf = (at: AtBlock) => (typeof at === 'number' ? numberToHex(at) : at);

const requestOf = ({ value, gas, ...request }: CallRequest) => ({
  ...request,
  ...(value ? { value: numberToHex(value) } : {}),
  ...(gas === undefined ? {} : { gas: numberToHex(gas) }),
});

const blockOf = (value: unknown): Block => {
  const block = fieldsOf(value);
  return {
    number: quantityOf(block.number),
    hash: hashOf(block.hash),
    parentHash: hashOf(block.parentHash),
    timestamp: quantityOf(block.timestamp),
    baseFee: block.baseFeePerGas == null ? 0n : bigQuantityOf(block.baseFeePerGas),
    logsBloom: block.logsBloom,
    transactions: arrayOf(block.transactions),
  };
};

const receiptOf = (value: unknown): Receipt => {
  const receipt = fieldsOf(value);
  const status = quantityOf(receipt.status);
  if (status > 1) throw new NonsenseError(`a receipt with status ${status}`);
  const price = receipt.effectiveGasPrice == null ? 0n : bigQuantityOf(receipt.effectiveGasPrice);
  return {
    transactionHash: hashOf(receipt.transactionHash),
    blockNumber: quantityOf(receipt.blockNumber),
    blockHash: hashOf(receipt.blockHash),
    reverted: status === 0,
    // `l1Fee`: on rollups of the OP stack.
    gasPaid: bigQuantityOf(receipt.gasUsed) * price + (receipt.l1Fee == null ? 0n : bigQuantityOf(receipt.l1Fee)),
    logs: arrayOf(receipt.logs),
  };
};

const transactionOf = (value: unknown): Transaction => {
  const { hash, from, to, input, value: sent, gas } = fieldsOf(value);
  return {
    hash: hashOf(hash),
    from: addressOf(from),
    to: to == null ? null : addressOf(to),
    input: hexOf(input),
    value: bigQuantityOf(sent),
    gas: bigQuantityOf(gas),
  };
};
