import { isStatement } from '@mintage/protocol/signing';
import type { Calls } from '../generated/calls.ts';
import type { AuthSession } from '../generated/types.ts';
import { checkSignInText } from './checkSignInText.ts';
import { signatureOf, type TextSigner } from './signer.ts';

/** What a caller expects of the text that is signed. */
export interface SignInOptions {
  /** Chain that the text names, EIP-155; absent: the service's first. Not for a wallet of Solana. */
  chainId?: number;
  /** Host of the web app that the text names, as in `app.example.com` or `location.host`; absent: whichever it says. */
  domain?: string;
}

/**
 * Signs in with a wallet, which shows the text and costs nothing. No other text than a sign-in of this wallet is signed.
 *
 * @param reader - A client of the service.
 * @throws MintageError BYTES_DIFFER where the service asks for a signature of another text.
 */
export const signIn = async (
  reader: Pick<Calls, 'authChallenge' | 'authLogin'>,
  signer: TextSigner,
  { chainId, domain }: SignInOptions = {},
): Promise<AuthSession> => {
  const { message, nonce } = await reader.authChallenge({ address: signer.address, ...(chainId && { chainId }) });
  checkSignInText(message, { signer, nonce, chainId, domain, isStatement: isStatement.signIn });
  return reader.authLogin({ message, signature: await signatureOf(signer, message) });
};
