import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Address,
  type Hex,
  type LocalAccount,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem';

/** Longer than a chain takes for a transaction that pays what it asks, milliseconds. */
const patienceMs = 180_000;

/**
 * What an earlier run sent before it was ended has to be in a block before it is said what is there: it would be sent twice.
 *
 * @throws Error with the nonce that waits.
 */
export const untilNothingWaits = async (client: PublicClient, address: Address): Promise<void> => {
  for (let waitedMs = 0; ; waitedMs += client.pollingInterval) {
    const [mined, sent] = await Promise.all(
      (['latest', 'pending'] as const).map((blockTag) => client.getTransactionCount({ address, blockTag })),
    );
    if (mined === undefined || sent === undefined || sent <= mined) return;
    if (waitedMs >= patienceMs) {
      const rest = 'Wait for it, or replace it by one that pays more; then run this again.';
      throw new Error(`The transaction of ${address} with the nonce ${mined} is not in a block. ${rest}`);
    }
    await sleep(client.pollingInterval);
  }
};

/** Signs and sends a transaction that creates `created`, and waits until the code is there. */
export const sendCreation = async (
  client: PublicClient,
  account: LocalAccount,
  call: { to: Address; data: Hex },
  created: Address,
): Promise<TransactionReceipt> => {
  const chainId = await client.getChainId();
  const gas = await client.estimateGas({ account: account.address, ...call });
  const fees = await client.estimateFeesPerGas();
  const nonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' });
  const serializedTransaction = await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    gas: (gas * 12n) / 10n,
    ...fees,
    ...call,
  });
  const hash = await client.sendRawTransaction({ serializedTransaction });
  const receipt = await receiptOf(client, hash);
  if (receipt.status !== 'success' || !(await client.getCode({ address: created })))
    throw new Error(`Transaction ${hash} was mined, but there is no code at ${created}.`);
  return receipt;
};

/**
 * Asks for the receipt itself until it is there. viem's `waitForTransactionReceipt` asks again only when it sees a new block,
 * and overlooks one that comes while it is asking: on a local chain, where no other block follows, it then waits for ever.
 *
 * @throws Error with the hash when it is in no block after three minutes.
 */
const receiptOf = async (client: PublicClient, hash: Hex): Promise<TransactionReceipt> => {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += client.pollingInterval) {
    try {
      return await client.getTransactionReceipt({ hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
    await sleep(client.pollingInterval);
  }
  throw new Error(`Transaction ${hash} is not in a block. Wait for it, then run this again: nothing is sent twice.`);
};
