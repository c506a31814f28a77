import type { Base58 } from '@mintage/protocol';
import { getBalance, getLatestBlockhash, getSlot } from '../../chain/solana/rpc/calls.ts';
import type { SolanaLane } from './chainAccess.ts';
import { newestHeight } from './lookUp.ts';

/** What transactions are signed on. */
export interface ChainState {
  /** Newest slot. */
  head: number;
  /** Their lifetime begins here. One provider's word: a wrong one only makes a transaction that never lands. */
  blockhash: Base58;
  /**
   * The last block height that may hold a transaction with that hash, whatever its provider says of it: a hash is one of a block that
   * there is, and the highest of all providers counts.
   */
  validUntil: number;
  /** Lamports of the wallet. */
  balance: bigint;
}

/** Blocks for which the cluster takes a blockhash. */
const blockhashAge = 150;

/** @throws ChainDownError when no provider answers. */
export const readChainState = async (lane: SolanaLane): Promise<ChainState> => {
  const { head, lifetime, balance } = await lane.chain.rpc.first(
    async (node) => {
      const calls = [getSlot('latest'), getLatestBlockhash(), getBalance(lane.wallet)] as const;
      const [head, lifetime, balance] = await node.batch(calls);
      return { head, lifetime, balance };
    },
    { inTurn: true },
  );
  // Asked after the hash was told, so that its block is counted.
  const height = await newestHeight(lane);
  const validUntil = Math.max(height, lifetime.lastValidBlockHeight - blockhashAge) + blockhashAge;
  return { head, blockhash: lifetime.blockhash, validUntil, balance };
};
