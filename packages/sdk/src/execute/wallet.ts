import { MintageError } from '@mintage/protocol';
import type { Account, Chain, Transport, WalletClient } from 'viem';
import { getChainId, switchChain } from 'viem/actions';
import { lower, type TrustedChain } from '../trusted.ts';

/** A wallet client of viem with its account: of a local key, or of a wallet that is asked over EIP-1193. Also read through. */
export type Wallet = WalletClient<Transport, Chain | undefined, Account>;

/**
 * The wallet on this chain, switched to it where it lets itself be.
 *
 * @throws MintageError WALLET_ELSEWHERE where it stays on another chain, or has another account.
 */
export const onChain = async (wallet: Wallet, { chainId, slug }: TrustedChain, address: string): Promise<Wallet> => {
  if (lower(wallet.account.address) !== lower(address))
    throw new MintageError('WALLET_ELSEWHERE', `The wallet on ${slug} is ${wallet.account.address}, not ${address}.`);
  if ((await getChainId(wallet)) === chainId) return wallet;
  const cause = await switchChain(wallet, { id: chainId }).then(
    () => null,
    (error: unknown) => error,
  );
  const is = await getChainId(wallet);
  if (is === chainId) return wallet;
  throw new MintageError('WALLET_ELSEWHERE', `The wallet is on the chain ${is}, not on ${slug} (${chainId}).`, {
    cause,
  });
};
