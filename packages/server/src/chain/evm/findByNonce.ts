import { type Hex, keccak256, recoverTransactionAddress, serializeTransaction } from 'viem';
import type { Ask } from '../wire.ts';
import { bigQuantityOf, type Fields, fieldsOf, hexOf, NonsenseError, quantityOf } from './answers.ts';
import { getBlock, getTransactionCount } from './calls.ts';

/** A transaction of a wallet in a block. Its bytes prove that the wallet signed it, whichever provider returned it. */
export interface FoundTransaction {
  hash: Hex;
  /** The signed bytes. */
  raw: Hex;
  nonce: number;
  /** Lower case; null for a creation of a contract. */
  to: string | null;
  /** Native base units. */
  value: bigint;
  data: string;
  /** Native base units per gas; on a chain without EIP-1559 both are its gas price. */
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };
}

/** The providers of a chain, as far as they are asked here. */
interface Asked {
  request: Ask;
  first<Answer>(question: (node: { request: Ask }) => Promise<Answer>): Promise<Answer>;
}

/** A wallet on a chain. */
interface Account {
  rpc: Asked;
  chainId: number;
  /** Lower case. */
  wallet: Hex;
}

/**
 * Finds the wallet's transaction with this nonce by bisecting the wallet's transaction count over the blocks.
 *
 * @param head - A block at which the nonce is already used.
 * @returns Undefined when no block holds it, or the returned bytes are not signed by the wallet.
 * @throws RpcError when the provider no longer has the states of the blocks involved.
 */
export const findByNonce = async (
  account: Account,
  nonce: number,
  head: number,
): Promise<FoundTransaction | undefined> => {
  const { rpc, wallet } = account;
  const isUsed = async (block: number): Promise<boolean> =>
    (await rpc.request(getTransactionCount(wallet, block))) > nonce;
  let used = head;
  if (!(await isUsed(used))) return undefined;
  let back = 1;
  let unused = used;
  do {
    used = unused;
    unused = Math.max(-1, used - back);
    back *= 2;
  } while (unused >= 0 && (await isUsed(unused)));
  while (used - unused > 1) {
    const middle = Math.floor((used + unused) / 2);
    if (await isUsed(middle)) used = middle;
    else unused = middle;
  }
  const transactions = await rpc.first(async (node) => {
    const block = await node.request(getBlock(used, { whole: true }));
    return (block?.transactions ?? []).map(fieldsOf);
  });
  const found = transactions.find((one) => String(one.from).toLowerCase() === wallet && Number(one.nonce) === nonce);
  return found && proven(account, found);
};

/** Undefined unless the bytes have the hash, and the wallet signed them. */
const proven = async ({ chainId, wallet }: Account, shown: Fields): Promise<FoundTransaction | undefined> => {
  try {
    const { raw, ...found } = rebuilt(chainId, shown);
    if (keccak256(raw) !== shown.hash) return undefined;
    const signer = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
    return signer.toLowerCase() === wallet ? { ...found, hash: keccak256(raw), raw } : undefined;
  } catch (error) {
    if (error instanceof NonsenseError) return undefined;
    throw error;
  }
};

/** The signed bytes of a transaction, from what a provider shows of it. */
const rebuilt = (chainId: number, shown: Fields): Omit<FoundTransaction, 'hash'> => {
  const to = shown.to == null ? null : hexOf(shown.to, 42);
  const [nonce, value, data] = [quantityOf(shown.nonce), bigQuantityOf(shown.value), hexOf(shown.input)];
  const common = { chainId, nonce, to, value, data, gas: bigQuantityOf(shown.gas) };
  const [r, s] = [shown.r as Hex, shown.s as Hex];
  if (quantityOf(shown.type) === 0) {
    const gasPrice = bigQuantityOf(shown.gasPrice);
    const raw = serializeTransaction({ type: 'legacy', ...common, gasPrice }, { r, s, v: bigQuantityOf(shown.v) });
    return { raw, nonce, to, value, data, fees: { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice } };
  }
  const fees = {
    maxFeePerGas: bigQuantityOf(shown.maxFeePerGas),
    maxPriorityFeePerGas: bigQuantityOf(shown.maxPriorityFeePerGas),
  };
  const yParity = quantityOf(shown.yParity ?? shown.v);
  const raw = serializeTransaction({ type: 'eip1559', ...common, ...fees }, { r, s, yParity });
  return { raw, nonce, to, value, data, fees };
};
