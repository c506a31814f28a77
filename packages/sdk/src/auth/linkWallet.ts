import type { Calls } from '../generated/calls.ts';
import { checkSignInText } from './checkSignInText.ts';
import type { SignInOptions } from './signIn.ts';
import type { SigningWallet } from './wallet.ts';

/**
 * Links a wallet to the account signed in; it signs in to it from then on, for good. No other text than one of this wallet is signed.
 *
 * @param reader - A client of the service, signed in.
 * @throws MintageError BYTES_DIFFER where the service asks for a signature of another text; WALLET_TAKEN where the wallet has an
 *   account of its own.
 */
export const linkWallet = async (
  reader: Pick<Calls, 'linkWalletChallenge' | 'linkWallet'>,
  signer: Pick<SigningWallet, 'address' | 'signMessage'>,
  { chainId, domain }: SignInOptions = {},
): Promise<void> => {
  const { message, nonce } = await reader.linkWalletChallenge({ address: signer.address, ...(chainId && { chainId }) });
  checkSignInText(message, { address: signer.address, nonce, chainId, domain });
  await reader.linkWallet({ message, signature: await signer.signMessage({ message }) });
};
