import { setTimeout } from 'node:timers/promises';
import type { Address } from '@mintage/protocol';
import type { Logger } from 'pino';
import type { ChainContext } from '../../chain/chainContext.ts';
import { isOn } from '../tokens/addresses.ts';

/** What a wallet has on one chain, base units; null is unknown. */
export interface WalletBalances {
  wallet: Address;
  native: bigint | null;
  usd: bigint | null;
}

const patienceMs = 2_000;

/**
 * Native coin and dollars at the chain's latest block of each wallet that can be on it. What the chain does not answer in
 * time is null: this never throws, and takes hardly longer than two seconds.
 */
export const walletBalances = async (
  { log }: { log: Logger },
  { chain, client }: Pick<ChainContext, 'chain' | 'client'>,
  wallets: readonly Address[],
): Promise<WalletBalances[]> => {
  const tooLate = setTimeout(patienceMs, null, { ref: false });
  const read = async (balance: 'nativeBalance' | 'usdBalance', wallet: Address): Promise<bigint | null> => {
    try {
      return await Promise.race([client[balance](wallet), tooLate]);
    } catch (err) {
      log.info({ err, chain: chain.slug, balance }, 'A balance could not be read.');
      return null;
    }
  };
  const here = wallets.filter((wallet) => isOn(chain, wallet));
  return Promise.all(
    here.map(async (wallet) => {
      const [native, usd] = await Promise.all([read('nativeBalance', wallet), read('usdBalance', wallet)]);
      return { wallet, native, usd };
    }),
  );
};
