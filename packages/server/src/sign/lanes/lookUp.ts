import { ChainDownError } from '../chain/chainAccess.ts';
import type { Hex, Lane } from '../context.ts';
import type { Attempt, OpenStep } from './openSteps.ts';

/** Which of our bytes a block holds. */
export interface Receipt {
  attempt: Attempt;
  blockNumber: number;
  blockHash: string;
  reverted: boolean;
  /** Native base units, a rollup's data included. */
  gasPaid: bigint;
}

/** What one provider shows of a lane: whether to look closer. What is written down and signed by it is asked of two. */
export interface Seen {
  head: number;
  /** Transactions of the wallet in blocks. */
  usedNonces: number;
  /** Hashes of newest attempts that it knows, waiting or in a block. */
  pooled: ReadonlySet<string>;
  receiptOf(step: OpenStep): Receipt | undefined;
}

export interface RpcReceipt {
  transactionHash: string;
  blockNumber: string;
  blockHash: string;
  status: string;
  gasUsed: string;
  effectiveGasPrice?: string;
  /** On rollups of the OP stack. */
  l1Fee?: string;
}

interface RpcBlock {
  number: string;
}

export const lookUp = async ({ chain, wallet }: Lane, steps: readonly OpenStep[]): Promise<Seen> => {
  const attempts = steps.flatMap((step) => step.attempts);
  const newest = steps.flatMap((step) => step.attempts.slice(-1));
  const [block, count, ...answers] = await chain.readInTurn([
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_getTransactionCount', params: [wallet, 'latest'] },
    ...attempts.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    ...newest.map(({ hash }) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
  ]);
  const head = Number((block as RpcBlock | null)?.number);
  if (!Number.isSafeInteger(head)) throw new ChainDownError(chain.slug, 'a provider shows no newest block');
  const receipts = new Map(
    attempts.map((attempt, i) => [attempt.hash, receiptFrom(attempt, answers[i] as RpcReceipt | null)]),
  );
  const isPooled = (hash: Hex, i: number): boolean =>
    (answers[attempts.length + i] as { hash?: string } | null)?.hash?.toLowerCase() === hash;
  return {
    head,
    usedNonces: Number(count),
    pooled: new Set(newest.flatMap(({ hash }, i) => (isPooled(hash, i) ? [hash] : []))),
    receiptOf: (step) => step.attempts.map(({ hash }) => receipts.get(hash)).find((receipt) => receipt !== undefined),
  };
};

/**
 * Which of a step's bytes a block holds as two providers say it, undefined when they say that none does; 'unsure' while no
 * two say the same.
 */
export const agreedReceipt = async (
  { chain }: Lane,
  { attempts }: OpenStep,
): Promise<Receipt | undefined | 'unsure'> => {
  try {
    const shown = await chain.readAgreed(async (read) => {
      const answers = await read(attempts.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })));
      const receipt = attempts
        .map((attempt, i) => receiptFrom(attempt, answers[i] as RpcReceipt | null))
        .find((one) => one !== undefined);
      // As text, because that is how answers are compared.
      return receipt === undefined
        ? null
        : { ...receipt, attempt: receipt.attempt.hash, gasPaid: receipt.gasPaid.toString() };
    });
    const attempt = attempts.find(({ hash }) => hash === shown?.attempt);
    return shown === null || attempt === undefined ? undefined : { ...shown, attempt, gasPaid: BigInt(shown.gasPaid) };
  } catch (error) {
    if (error instanceof ChainDownError) return 'unsure';
    throw error;
  }
};

/** Undefined for what is not in a block, and for a receipt of something else. */
export const receiptFrom = (attempt: Attempt, receipt: RpcReceipt | null): Receipt | undefined => {
  if (receipt === null || receipt.transactionHash?.toLowerCase() !== attempt.hash) return undefined;
  const blockNumber = Number(receipt.blockNumber);
  if (!Number.isSafeInteger(blockNumber) || typeof receipt.blockHash !== 'string') return undefined;
  return {
    attempt,
    blockNumber,
    blockHash: receipt.blockHash,
    reverted: receipt.status !== '0x1',
    gasPaid: BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice ?? 0) + BigInt(receipt.l1Fee ?? 0),
  };
};
