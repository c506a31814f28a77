import { BaseError, type Hex } from 'viem';
import { getBlock, getCode, getTransactionCount } from 'viem/actions';
import { lower } from '../trusted.ts';
import type { CheckedCall } from './items.ts';
import type { Wallet } from './wallet.ts';

/** So many transactions of the wallet are looked at, at most: it may have taken a later nonce than was expected. */
const mostLooked = 20;

/**
 * The mined transaction of this wallet with exactly these bytes, from the expected nonce on. Null: none is mined. It may still be mined
 * then. Undefined: the provider does not keep what it is found by, or the wallet is a contract, in whose name others send.
 *
 * @param newest - Block to which it is looked: a provider that does not have it yet answers nothing.
 * @param others - Hashes, lower case, that are known to be other transactions, though their bytes may be the same.
 */
export const findSent = async (
  client: Wallet,
  nonce: number,
  newest: bigint,
  call: CheckedCall,
  others: ReadonlySet<string>,
): Promise<Hex | null | undefined> => {
  try {
    if (await isContract(client, newest)) return undefined;
    const mined = await countAt(client, newest);
    if (mined > nonce + mostLooked) return undefined;
    for (let looked = nonce; looked < mined; looked += 1) {
      const found = (await transactionsIn(client, await blockOf(client, looked, newest))).find(
        (one) => isSame(one, call) && one.nonce >= nonce && !others.has(lower(one.hash)),
      );
      if (found !== undefined) return found.hash;
    }
    return null;
  } catch (error) {
    if (error instanceof BaseError) return undefined;
    throw error;
  }
};

/** An account that is delegated to code (EIP-7702) sends its own transactions. */
const isContract = async (client: Wallet, blockNumber: bigint): Promise<boolean> => {
  const code = await getCode(client, { address: client.account.address, blockNumber });
  return code !== undefined && !code.startsWith('0xef0100');
};

const countAt = (client: Wallet, blockNumber: bigint): Promise<number> =>
  getTransactionCount(client, { address: client.account.address, blockNumber });

/** The block in which a nonce was used, at most `newest`: first back in steps that double, then halved. */
const blockOf = async (client: Wallet, nonce: number, newest: bigint): Promise<bigint> => {
  let [step, used] = [1n, newest];
  let unused = newest - step;
  while (unused >= 0n && (await countAt(client, unused)) > nonce) {
    [used, step] = [unused, step * 2n];
    unused = used - step;
  }
  while (used - unused > 1n) {
    const middle = (used + unused) / 2n;
    if (middle < 0n || (await countAt(client, middle)) <= nonce) unused = middle;
    else used = middle;
  }
  return used;
};

const transactionsIn = async (client: Wallet, blockNumber: bigint) => {
  const { transactions } = await getBlock(client, { blockNumber, includeTransactions: true });
  return transactions.filter(({ from }) => lower(from) === lower(client.account.address));
};

const isSame = (sent: { to: Hex | null; input: Hex; value: bigint }, { to, data, value }: CheckedCall): boolean =>
  sent.to !== null && lower(sent.to) === to && sent.input === data && sent.value === value;
