import { getBalance, getBlock, getTransactionCount, maxPriorityFeePerGas } from '../../chain/evm/calls.ts';
import { RpcError } from '../../chain/wire.ts';
import type { Context } from '../context.ts';
import type { ChainAccess, EvmLane } from './chainAccess.ts';
import type { Market } from './fees.ts';

/** The chain's state of a lane, read before the lane's lock is taken. */
export interface LaneState {
  /** Newest block that two providers have; the other fields are as of that block. */
  head: number;
  market: Market;
  /** Native base units. */
  balance: bigint;
  /** Nonces below it are used on the chain, except for ones that this signer used itself. */
  nonceFloor: number;
}

/** @throws ChainDownError while the chain does not answer, or no two of its providers say the same. */
export const readLaneState = async ({ db }: Context, lane: EvmLane): Promise<LaneState> => {
  const { chain, wallet } = lane;
  const own = await db
    .selectFrom('lane')
    .select('next_nonce')
    .where('eid', '=', chain.eid)
    .where('wallet', '=', wallet)
    .executeTakeFirst();
  const { head, baseFee, count, balance } = await readWallet(lane);
  return {
    head,
    market: { baseFee, tip: await suggestedTip(chain) },
    balance,
    nonceFloor: Math.max(count, own?.next_nonce ?? 0),
  };
};

/** A wallet's state at the newest block that two providers have, as both report it; never pending transactions. */
export interface WalletNow {
  /** Number of that block. */
  head: number;
  /** Native base units per gas; 0 on chains that have none. */
  baseFee: bigint;
  /** Number of the wallet's transactions in blocks. */
  count: number;
  /** Native base units. */
  balance: bigint;
}

/** @throws ChainDownError when no two say the same. */
export const readWallet = async ({ chain, wallet }: EvmLane): Promise<WalletNow> => {
  const { answer } = await chain.rpc.agreedAtHead(async (node, at) => {
    const [shown, count, balance] = await node.batch([
      getBlock(at),
      getTransactionCount(wallet, at),
      getBalance(wallet, at),
    ]);
    if (shown === null) throw new Error('the provider does not show the block');
    return { block: shown.number, baseFee: shown.baseFee, count, balance };
  });
  const { block: head, ...rest } = answer;
  return { head, ...rest };
};

/** The suggested tip of one provider; the gas policy bounds it. Not every provider suggests one. */
export const suggestedTip = async (chain: ChainAccess): Promise<bigint> => {
  try {
    return await chain.rpc.request(maxPriorityFeePerGas());
  } catch (error) {
    if (error instanceof RpcError || (error as Error).cause instanceof RpcError) return 0n;
    throw error;
  }
};
