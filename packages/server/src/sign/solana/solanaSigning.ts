import { type Address, requireBase58 } from '@mintage/protocol';
import type { SigningFamily } from '../sender.ts';
import { accessTo, type SolanaLane } from './chainAccess.ts';
import { graduationOf } from './graduation.ts';
import { signIntents } from './signIntents.ts';
import { newWallet } from './walletKey.ts';
import { watchLane } from './watchLane.ts';

/** Solana: transactions without order, each good for a few blocks, signed anew only when it can never land any more. */
export const solanaSigning: SigningFamily = {
  createSender(context, served) {
    const chain = accessTo(served, context.log);
    const laneOf = (wallet: Address): SolanaLane => ({ chain, wallet: requireBase58(wallet) });
    return {
      sign: (wallet) => signIntents(context, laneOf(wallet)),
      watch: (wallet) => watchLane(context, laneOf(wallet)),
      graduate: (wallet, token) => graduationOf(chain, wallet, token),
      stop: () => chain.rpc.stop(),
    };
  },
  newWallet,
};
