import { decodeRevert, type Hash, MintageError, requireHex } from '@mintage/protocol';
import { unknownToOne } from '../agreement.ts';
import type { ChainClient, SentTransaction } from '../chainClient.ts';
import type { Node, Rpc } from '../rpc.ts';
import { RpcError } from '../wire.ts';
import { call, getTransaction, getTransactionReceipt, type Receipt, type Transaction } from './calls.ts';
import { type DollarTaker, explainShortage } from './dollarShortage.ts';
import { revertDataOf } from './revert.ts';

interface Found {
  transaction: Transaction;
  /** Null while no block holds it. */
  receipt: { reverted: boolean; blockNumber: number; blockHash: Hash } | null;
}

/** A chain whose transactions are explained. */
export interface Explaining extends DollarTaker {
  rpc: Pick<Rpc, 'agreed' | 'request'>;
}

/** `ChainClient.findTransaction`. */
export const findTransaction = async (
  { slug, ...on }: Explaining & { slug: string },
  ...[asked, wallets]: Parameters<ChainClient['findTransaction']>
): ReturnType<ChainClient['findTransaction']> => {
  const { rpc } = on;
  const hash = requireHex(asked);
  /** Whether some provider shows the transaction as sent by one of the wallets. */
  let isShown = false;
  const isOwn = ({ from }: Transaction): boolean => wallets.includes(from);
  const look = async (node: Node): Promise<Found | null> => {
    const [transaction, receipt] = await Promise.all([
      node.request(getTransaction(hash)).then((one) => {
        isShown ||= one !== null && isOwn(one);
        return one;
      }),
      node.request(getTransactionReceipt(hash)),
    ]);
    if (transaction === null || !isOwn(transaction)) return null;
    return { transaction, receipt: receipt && receiptOf(receipt) };
  };
  try {
    const { answer, isAlone } = await rpc.agreed(look, { aloneWillDo: true });
    if (!isAlone) return answer && sentOf(on, answer);
    if (answer !== null || isShown) return 'unsure';
    throw unknownToOne(slug);
  } catch (error) {
    if (isShown && error instanceof MintageError && error.code === 'NETWORK_ERROR') return 'unsure';
    throw error;
  }
};

/** What providers say alike: they price a receipt's gas and list its logs each in their own way. */
const receiptOf = ({ reverted, blockNumber, blockHash }: Receipt): Found['receipt'] => ({
  reverted,
  blockNumber,
  blockHash,
});

const sentOf = (on: Explaining, { transaction, receipt }: Found): SentTransaction => ({
  blockNumber: receipt?.blockNumber ?? null,
  whyReverted: receipt?.reverted ? () => whyReverted(on, transaction, receipt.blockNumber) : null,
});

/**
 * Simulates the transaction again on the state before its block to learn why it reverted, as two providers agree. Other
 * transactions of the same block are not taken into account.
 */
export const whyReverted = async (
  on: Explaining,
  { from, to, input, value, gas }: Transaction,
  blockNumber: number,
): Promise<string> => {
  try {
    await on.rpc.agreed(async (node) => {
      await node.request(call({ from, to, data: input, value, gas }, blockNumber - 1));
      return true; // the return value of a successful call does not matter
    });
  } catch (error) {
    const data = error instanceof RpcError ? revertDataOf(error) : undefined;
    if (data !== undefined) {
      const failed = { wallet: from, to, blockNumber: blockNumber - 1 };
      return (await explainShortage(on, decodeRevert(data), failed)).message;
    }
  }
  return 'The transaction was reverted.';
};
