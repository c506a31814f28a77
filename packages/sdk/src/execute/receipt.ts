import type { TransactionReceipt } from 'viem';
import {
  getBlockNumber,
  type WaitForTransactionReceiptParameters,
  type WatchBlockNumberParameters,
  waitForTransactionReceipt,
} from 'viem/actions';
import type { Wallet } from './wallet.ts';

/**
 * Waits for the receipt of a transaction, or of the one that replaced it.
 *
 * viem asks for it when a block is new, and overlooks a block that comes while it still asks about the one before: the receipt
 * then came a block late, or never where no block follows. Here it is told of a block only after it has asked about the last.
 *
 * @throws What viem's `waitForTransactionReceipt` throws.
 */
export const receiptOf = (
  wallet: Wallet,
  parameters: WaitForTransactionReceiptParameters,
): Promise<TransactionReceipt> => {
  const watchBlockNumber = (options: WatchBlockNumberParameters): (() => void) => {
    const over = new AbortController();
    void tellEach(wallet, options, over.signal);
    return () => over.abort();
  };
  return waitForTransactionReceipt(
    wallet.extend(() => ({ watchBlockNumber })),
    parameters,
  );
};

const tellEach = async (
  wallet: Wallet,
  { onBlockNumber, onError, pollingInterval = wallet.pollingInterval }: WatchBlockNumberParameters,
  over: AbortSignal,
): Promise<void> => {
  let last: bigint | undefined;
  while (!over.aborted) {
    try {
      const newest = await getBlockNumber(wallet, { cacheTime: 0 });
      // viem's handler is asynchronous, though its type does not say so.
      if (newest !== last) await (onBlockNumber(newest, last) as unknown as Promise<void>);
      last = newest;
    } catch (error) {
      onError?.(error as Error);
    }
    await new Promise((resolve) => setTimeout(resolve, pollingInterval));
  }
};
