import type { Base58 } from '@mintage/protocol';
import { ChainDownError } from '../../chain/rpc.ts';
import { getBalance, getBlockHeight, getLatestBlockhash, getSlot } from '../../chain/solana/rpc/calls.ts';
import type { SolanaLane } from './chainAccess.ts';

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
export const readChainState = async ({ chain: { rpc, slug }, wallet }: SolanaLane): Promise<ChainState> => {
  const { head, lifetime, balance } = await rpc.first(
    async (node) => {
      const [head, lifetime, balance] = await node.batch([getSlot('latest'), getLatestBlockhash(), getBalance(wallet)]);
      return { head, lifetime, balance };
    },
    { inTurn: true },
  );
  // Asked after the hash was told, so that its block is counted.
  const heights = (await Promise.allSettled(rpc.everyone((node) => node.request(getBlockHeight())))).flatMap((one) =>
    one.status === 'fulfilled' ? [one.value] : [],
  );
  if (heights.length === 0) throw new ChainDownError(`The chain ${slug} is down: none of its providers answers.`);
  const validUntil = Math.max(...heights, lifetime.lastValidBlockHeight - blockhashAge) + blockhashAge;
  return { head, blockhash: lifetime.blockhash, validUntil, balance };
};
