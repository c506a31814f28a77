import { type Address, launchpadAbi, requireHex } from '@mintage/protocol';
import { encodeFunctionData } from 'viem';
import type { SigningFamily } from '../sender.ts';
import { accessTo, type EvmLane } from './chainAccess.ts';
import { signIntents } from './signIntents.ts';
import { newWallet } from './walletKey.ts';
import { watchLane } from './watchLane.ts';

/** Gas limit of `graduate`. A graduating buy takes 950,000; unused gas is not paid. */
const graduateGas = 1_500_000;
/** It makes the pool as well, or walks it through what a stranger put in the way: 38,000 a tick. */
const graduateGasV3 = 9_000_000;

/** Chains with an EVM: transactions in the order of their nonces, each replaced with the same nonce when blocks leave it out. */
export const evmSigning: SigningFamily = {
  createSender(context, served) {
    const chain = accessTo(served, context.log);
    const laneOf = (wallet: Address): EvmLane => ({ chain, wallet: requireHex(wallet) });
    return {
      sign: (wallet) => signIntents(context, laneOf(wallet)),
      watch: (wallet) => watchLane(context, laneOf(wallet)),
      graduate: async (_wallet, token) => ({
        to: chain.deployment.launchpad,
        data: encodeFunctionData({ abi: launchpadAbi, functionName: 'graduate', args: [requireHex(token)] }),
        gasLimit: chain.deployment.exchange === null ? graduateGas : graduateGasV3,
      }),
      stop: () => chain.rpc.stop(),
    };
  },
  newWallet,
};
