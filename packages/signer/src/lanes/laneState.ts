import { numberToHex } from 'viem';
import { ChainDownError } from '../chain/chainAccess.ts';
import { type FoundTransaction, findByNonce } from '../chain/findByNonce.ts';
import { RpcError } from '../chain/rpc.ts';
import type { Context, Lane } from '../context.ts';
import type { Market } from '../gas/fees.ts';

/** What the chain says of a lane, read before its lock is taken. */
export interface LaneState {
  /** Newest block, by one provider. */
  head: number;
  market: Market;
  /** Native base units at block `head`. */
  balance: bigint;
  /** Nonces below it are used, as far as this signer did not use them itself: two providers agree. */
  nonceFloor: number;
  /**
   * By nonce, transactions in blocks that the tables do not know of: the database was set back to an earlier state, and
   * what it forgot must not be signed again. Empty otherwise.
   */
  forgotten: ReadonlyMap<number, FoundTransaction>;
}

interface RpcBlock {
  number: string;
  baseFeePerGas?: string;
}

/** @throws ChainDownError while the chain does not answer, or its providers contradict each other about the nonce. */
export const readLaneState = async ({ db }: Context, { chain, wallet }: Lane): Promise<LaneState> => {
  const own = await db
    .selectFrom('lane')
    .select('next_nonce')
    .where('chain_id', '=', chain.chainId)
    .where('wallet', '=', wallet)
    .executeTakeFirst();
  const [block, count] = await chain.read([
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_getTransactionCount', params: [wallet, 'latest'] },
  ]);
  const head = Number((block as RpcBlock | null)?.number);
  const baseFee = BigInt((block as RpcBlock | null)?.baseFeePerGas ?? 0);
  if (!Number.isSafeInteger(head)) throw new ChainDownError(chain.slug, 'a provider shows no newest block');
  const [balance] = await chain.read([{ method: 'eth_getBalance', params: [wallet, numberToHex(head)] }]);
  // What is our own count needs no second word; a higher one does, and so does the first.
  const isOurs = own !== undefined && Number(count) <= own.next_nonce;
  const nonceFloor = isOurs ? own.next_nonce : await agreedCount({ chain, wallet });
  return {
    head,
    market: { baseFee, tip: await suggestedTip(chain) },
    balance: BigInt(balance as string),
    nonceFloor,
    forgotten: await findForgotten({ chain, wallet }, own?.next_nonce ?? 0, nonceFloor, head),
  };
};

/** Of more than that no intent can still be queued: it would have expired. */
const mostForgotten = 100;

const findForgotten = async (
  lane: Lane,
  from: number,
  to: number,
  head: number,
): Promise<Map<number, FoundTransaction>> => {
  const forgotten = new Map<number, FoundTransaction>();
  for (let nonce = Math.max(from, to - mostForgotten); nonce < to; nonce += 1) {
    const found = await findByNonce(lane, nonce, head);
    if (found === undefined)
      throw new ChainDownError(lane.chain.slug, `no block shows nonce ${nonce} of ${lane.wallet}`);
    forgotten.set(nonce, found);
  }
  return forgotten;
};

/** Transactions of the wallet in blocks, by two providers; never what waits in a pool. */
const agreedCount = ({ chain, wallet }: Lane): Promise<number> =>
  chain.readAgreed(async (read) => {
    const [count] = await read([{ method: 'eth_getTransactionCount', params: [wallet, 'latest'] }]);
    return Number(count);
  });

/** Not every provider has an opinion. */
export const suggestedTip = async (chain: Lane['chain']): Promise<bigint> => {
  try {
    const [tip] = await chain.read([{ method: 'eth_maxPriorityFeePerGas', params: [] }]);
    return BigInt(tip as string);
  } catch (error) {
    if (error instanceof RpcError) return 0n;
    throw error;
  }
};
