import type { Address, Hex, LocalAccount, PublicClient, TransactionReceipt } from 'viem';

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
  const receipt = await client.waitForTransactionReceipt({ hash });
  if (receipt.status !== 'success' || !(await client.getCode({ address: created })))
    throw new Error(`Transaction ${hash} was mined, but there is no code at ${created}.`);
  return receipt;
};
