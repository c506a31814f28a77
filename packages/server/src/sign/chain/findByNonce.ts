import { keccak256, numberToHex, recoverTransactionAddress, serializeTransaction } from 'viem';
import type { Hex, Lane } from '../context.ts';
import type { Fees } from '../gas/fees.ts';

/** A transaction of a wallet as a block holds it. Its bytes prove that the wallet signed it, whoever showed it. */
export interface FoundTransaction {
  hash: Hex;
  raw: Hex;
  nonce: number;
  /** Lower case; null for a creation of a contract. */
  to: string | null;
  value: bigint;
  data: string;
  fees: Fees;
}

interface RpcTransaction {
  hash: Hex;
  type: Hex;
  from: Hex;
  to: Hex | null;
  nonce: Hex;
  value: Hex;
  input: Hex;
  gas: Hex;
  gasPrice: Hex;
  maxFeePerGas?: Hex;
  maxPriorityFeePerGas?: Hex;
  r: Hex;
  s: Hex;
  v: Hex;
  yParity?: Hex;
}

/**
 * The wallet's transaction with this nonce, found by the count of its transactions from block to block.
 *
 * @param head - A block in whose state the nonce is used.
 * @returns Undefined when no block holds it, or the one that does shows bytes that the wallet did not sign.
 * @throws RpcError when the provider has forgotten the states that must be asked for.
 */
export const findByNonce = async (lane: Lane, nonce: number, head: number): Promise<FoundTransaction | undefined> => {
  const { chain, wallet } = lane;
  const isUsed = async (block: number): Promise<boolean> => {
    const [count] = await chain.read([{ method: 'eth_getTransactionCount', params: [wallet, numberToHex(block)] }]);
    return Number(count) > nonce;
  };
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
  const [block] = await chain.read([{ method: 'eth_getBlockByNumber', params: [numberToHex(used), true] }]);
  const transactions = (block as { transactions?: RpcTransaction[] } | null)?.transactions ?? [];
  const found = transactions.find((one) => one.from?.toLowerCase() === wallet && Number(one.nonce) === nonce);
  return found && proven(lane, found);
};

/** Undefined unless the bytes have the hash, and the wallet signed them. */
const proven = async ({ chain, wallet }: Lane, shown: RpcTransaction): Promise<FoundTransaction | undefined> => {
  const common = {
    chainId: chain.chainId,
    nonce: Number(shown.nonce),
    to: shown.to,
    value: BigInt(shown.value),
    data: shown.input,
    gas: BigInt(shown.gas),
  };
  const isLegacy = Number(shown.type) === 0;
  const fees: Fees = isLegacy
    ? { maxFeePerGas: BigInt(shown.gasPrice), maxPriorityFeePerGas: BigInt(shown.gasPrice) }
    : { maxFeePerGas: BigInt(shown.maxFeePerGas ?? 0), maxPriorityFeePerGas: BigInt(shown.maxPriorityFeePerGas ?? 0) };
  const { r, s } = shown;
  const raw = isLegacy
    ? serializeTransaction({ type: 'legacy', ...common, gasPrice: fees.maxFeePerGas }, { r, s, v: BigInt(shown.v) })
    : serializeTransaction(
        { type: 'eip1559', ...common, ...fees },
        { r, s, yParity: Number(shown.yParity ?? shown.v) },
      );
  if (keccak256(raw) !== shown.hash) return undefined;
  const signer = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
  if (signer.toLowerCase() !== wallet) return undefined;
  const { nonce, value } = common;
  return { hash: shown.hash, raw, nonce, to: shown.to?.toLowerCase() ?? null, value, data: shown.input, fees };
};
