import { RpcError } from '../../chain/wire.ts';
import { ChainDownError } from '../chain/chainAccess.ts';
import { type FoundTransaction, findByNonce } from '../chain/findByNonce.ts';
import type { Context, Lane } from '../context.ts';
import type { Market } from '../gas/fees.ts';

/** What the chain says of a lane, read before its lock is taken. */
export interface LaneState {
  /** Newest block that two providers have; all else is of it. */
  head: number;
  market: Market;
  /** Native base units. */
  balance: bigint;
  /** Nonces below it are used, as far as this signer did not use them itself. */
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

/** @throws ChainDownError while the chain does not answer, or no two of its providers say the same. */
export const readLaneState = async ({ db }: Context, lane: Lane): Promise<LaneState> => {
  const { chain, wallet } = lane;
  const own = await db
    .selectFrom('lane')
    .select('next_nonce')
    .where('chain_id', '=', chain.chainId)
    .where('wallet', '=', wallet)
    .executeTakeFirst();
  const { head, baseFee, count, balance } = await readWallet(lane);
  const nonceFloor = Math.max(count, own?.next_nonce ?? 0);
  return {
    head,
    market: { baseFee, tip: await suggestedTip(chain) },
    balance,
    nonceFloor,
    forgotten: await findForgotten(lane, own?.next_nonce ?? 0, nonceFloor, head),
  };
};

/** What two providers say of a wallet at the newest block that both have; never what waits in a pool. */
export interface WalletNow {
  head: number;
  baseFee: bigint;
  /** Transactions of the wallet in blocks. */
  count: number;
  /** Native base units. */
  balance: bigint;
}

/** @throws ChainDownError when no two say the same. */
export const readWallet = async ({ chain, wallet }: Lane): Promise<WalletNow> => {
  const { block, baseFee, count, balance } = await chain.readAtHead(async (read, at) => {
    const [shown, used, funds] = await read([
      { method: 'eth_getBlockByNumber', params: [at, false] },
      { method: 'eth_getTransactionCount', params: [wallet, at] },
      { method: 'eth_getBalance', params: [wallet, at] },
    ]);
    const { number, baseFeePerGas } = (shown ?? {}) as RpcBlock;
    const head = Number(number);
    if (!Number.isSafeInteger(head)) throw new ChainDownError(chain.slug, 'a provider does not show the block');
    // As text, because that is how answers are compared.
    const [fee, wei] = [baseFeePerGas ?? 0, funds as string].map((figure) => BigInt(figure).toString());
    return { block: head, baseFee: fee as string, count: Number(used), balance: wei as string };
  });
  return { head: block, baseFee: BigInt(baseFee), count, balance: BigInt(balance) };
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

/** One provider's word, which the gas policy bounds. Not every provider has an opinion. */
export const suggestedTip = async (chain: Lane['chain']): Promise<bigint> => {
  try {
    const [tip] = await chain.read([{ method: 'eth_maxPriorityFeePerGas', params: [] }]);
    return BigInt(tip as string);
  } catch (error) {
    if (error instanceof RpcError) return 0n;
    throw error;
  }
};
