import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { call, getBalance } from '../../chain/evm/calls.ts';
import type { Address, ChainContext } from '../../chain/servedChain.ts';
import type { RpcCall } from '../../chain/wire.ts';

/** What a wallet has on one chain, base units; null is unknown. */
export interface WalletBalances {
  wallet: Address;
  native: bigint | null;
  usd: bigint | null;
}

const patienceMs = 2_000;

/**
 * Native coin and dollars of each wallet at the chain's latest block. What the chain does not answer in time is null:
 * this never throws, and takes hardly longer than two seconds.
 */
export const walletBalances = async (
  { log }: { log: Logger },
  { chain, deployment, rpc }: Pick<ChainContext, 'chain' | 'deployment' | 'rpc'>,
  wallets: readonly Address[],
): Promise<WalletBalances[]> => {
  const tooLate = setTimeout(patienceMs, null, { ref: false });
  const read = async (ask: RpcCall<bigint | Hex>): Promise<bigint | null> => {
    try {
      const answer = await Promise.race([rpc.request(ask), tooLate]);
      return answer === null ? null : BigInt(answer);
    } catch (err) {
      log.info({ err, chain: chain.slug, method: ask.method }, 'A balance could not be read.');
      return null;
    }
  };
  return Promise.all(
    wallets.map(async (wallet) => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] });
      const [native, usd] = await Promise.all([
        read(getBalance(wallet, 'latest')),
        read(call({ to: deployment.usd, data }, 'latest')),
      ]);
      return { wallet, native, usd };
    }),
  );
};
