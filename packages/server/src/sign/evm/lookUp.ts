import type { Hex } from 'viem';
import {
  type Receipt as EvmReceipt,
  getBlock,
  getTransaction,
  getTransactionCount,
  getTransactionReceipt,
} from '../../chain/evm/calls.ts';
import { ChainDownError, type Node } from '../../chain/rpc.ts';
import type { EvmLane } from './chainAccess.ts';
import type { Attempt, OpenStep } from './openSteps.ts';

/** The attempt that a block contains, with its receipt. */
export interface Receipt {
  attempt: Attempt;
  blockNumber: number;
  blockHash: Hex;
  reverted: boolean;
  /** Native base units, a rollup's data included. */
  gasPaid: bigint;
}

/**
 * What one provider reports of a lane; it only decides whether to look closer. What is recorded or signed is confirmed
 * by a second provider.
 */
export interface Seen {
  /** Newest block of that provider. */
  head: number;
  /** Number of the wallet's transactions in blocks. */
  usedNonces: number;
  /** Hashes of newest attempts that the provider knows, pending or in a block. */
  pooled: ReadonlySet<string>;
  receiptOf(step: OpenStep): Receipt | undefined;
}

export const lookUp = async ({ chain, wallet }: EvmLane, steps: readonly OpenStep[]): Promise<Seen> => {
  const attempts = steps.flatMap((step) => step.attempts);
  const newest = steps.flatMap((step) => step.attempts.slice(-1));
  const look = async (node: Node) => {
    const [[block, usedNonces, ...shown], known] = await Promise.all([
      node.batch([
        getBlock('latest'),
        getTransactionCount(wallet, 'latest'),
        ...attempts.map(({ hash }) => getTransactionReceipt(hash)),
      ]),
      node.batch(newest.map(({ hash }) => getTransaction(hash))),
    ]);
    if (block === null) throw new Error('the provider shows no newest block');
    return { head: block.number, usedNonces, shown, known };
  };
  const { head, usedNonces, shown, known } = await chain.rpc.first(look, { inTurn: true });
  const receipts = new Map(attempts.map((attempt, i) => [attempt.hash, receiptFrom(attempt, shown[i] ?? null)]));
  const isPooled = (hash: Hex, i: number): boolean => known[i]?.hash === hash;
  return {
    head,
    usedNonces,
    pooled: new Set(newest.flatMap(({ hash }, i) => (isPooled(hash, i) ? [hash] : []))),
    receiptOf: (step) => step.attempts.map(({ hash }) => receipts.get(hash)).find((receipt) => receipt !== undefined),
  };
};

/**
 * The attempt of a step that a block contains, as two providers agree; undefined when they agree that none is; 'unsure'
 * while no two agree.
 */
export const agreedReceipt = async (
  { chain }: EvmLane,
  { attempts }: OpenStep,
): Promise<Receipt | undefined | 'unsure'> => {
  try {
    const { answer } = await chain.rpc.agreed(async (node) => {
      const shown = await node.batch(attempts.map(({ hash }) => getTransactionReceipt(hash)));
      return attempts.map((attempt, i) => receiptFrom(attempt, shown[i] ?? null)).find((one) => one !== undefined);
    });
    return answer;
  } catch (error) {
    if (error instanceof ChainDownError) return 'unsure';
    throw error;
  }
};

/** The receipt of an attempt; undefined when it is in no block, or when the receipt is of another transaction. */
export const receiptFrom = (attempt: Attempt, shown: EvmReceipt | null): Receipt | undefined => {
  if (shown === null || shown.transactionHash !== attempt.hash) return undefined;
  const { blockNumber, blockHash, reverted, gasPaid } = shown;
  return { attempt, blockNumber, blockHash, reverted, gasPaid };
};
