import { linkWallet, signIn, type TextSigner } from '@mintage/sdk';
import type { ConnectedWallet } from './announced.ts';
import type { Api } from './api.ts';
import { signTextOnEvm } from './evmWallets.ts';
import { keepSignedIn } from './session.ts';

/** Signing in by a wallet of this browser. Loaded lazily: it reads each text before it is signed. */

const signerOf = async (wallet: ConnectedWallet): Promise<TextSigner> => {
  if (wallet.type === 'evm')
    return { address: wallet.address, signMessage: ({ message }) => signTextOnEvm(wallet, message as string) };
  const { signTextOnSolana } = await import('./solanaWallets.ts');
  return { address: wallet.address, signText: (text) => signTextOnSolana(wallet, text) };
};

/** What texts of this page name. */
const here = () => ({ domain: location.host });

/**
 * Signs in with the wallet, which shows the text and costs nothing; the session is kept for all tabs.
 *
 * @throws What the wallet says, where it refuses; MintageError of the service, and BYTES_DIFFER where the text is no sign-in here.
 */
export const signInWithWallet = async (
  api: Pick<Api, 'authChallenge' | 'authLogin'>,
  wallet: ConnectedWallet,
): Promise<void> => {
  const signedIn = await signIn(api, await signerOf(wallet), here());
  keepSignedIn({ ...signedIn, by: 'wallet', address: wallet.address });
};

/** Links the wallet to the account of this user, who is signed in. @throws As `signInWithWallet`; MintageError WALLET_TAKEN. */
export const linkBrowserWallet = async (
  api: Pick<Api, 'linkWalletChallenge' | 'linkWallet'>,
  wallet: ConnectedWallet,
  userId: string,
): Promise<void> => linkWallet(api, await signerOf(wallet), userId, here());
