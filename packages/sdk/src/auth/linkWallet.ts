import { isStatement } from '@mintage/protocol/signing';
import type { Calls } from '../generated/calls.ts';
import { checkSignInText } from './checkSignInText.ts';
import { signatureOf, type TextSigner } from './signer.ts';
import type { SignInOptions } from './signIn.ts';

/**
 * Links a wallet to the account signed in; it signs in to it from then on, for good. No other text than one of this wallet is signed.
 *
 * @param reader - A client of the service, signed in.
 * @param userId - Of the account that is signed in: no text that links to another one is signed.
 * @throws MintageError BYTES_DIFFER where the service asks for a signature of another text; WALLET_TAKEN where the wallet has an
 *   account of its own.
 */
export const linkWallet = async (
  reader: Pick<Calls, 'linkWalletChallenge' | 'linkWallet'>,
  signer: TextSigner,
  userId: string,
  { chainId, domain }: SignInOptions = {},
): Promise<void> => {
  const isOwn = (line: string): boolean => isStatement.link(line, userId);
  const { message, nonce } = await reader.linkWalletChallenge({ address: signer.address, ...(chainId && { chainId }) });
  checkSignInText(message, { signer, nonce, chainId, domain, isStatement: isOwn });
  await reader.linkWallet({ message, signature: await signatureOf(signer, message) });
};
