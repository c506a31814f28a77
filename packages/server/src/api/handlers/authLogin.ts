import { type Address, MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { accessTokenSeconds } from '../accounts/accessTokens.ts';
import { recoverSigner } from '../accounts/evm/recoverSigner.ts';
import { nonceOf } from '../accounts/evm/signInMessage.ts';
import { startSession } from '../accounts/sessions.ts';
import { userOfWallet } from '../accounts/users.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

export const authLogin = handler(definitions.authLogin, async (context, { message, signature }) => {
  // Opened first: while the key is unavailable, the challenge must not be used up.
  await context.auth.signingKeys.newest();
  const challenge = await takeChallenge(context, message);
  const signer = recoverSigner(message, signature);
  if (signer === null || signer !== challenge.address) {
    throw new MintageError('AUTHENTICATION_FAILED', 'The signature is not by the wallet that asked for this text');
  }
  const userId = await userOfWallet(context.db, signer);
  const session = await startSession(context.db, userId, context.now());
  return {
    accessToken: await context.auth.issueAccessToken(session),
    refreshToken: session.refreshToken,
    expiresIn: accessTokenSeconds,
    userId,
  };
});

/** Finds the challenge with this text and deletes it, so that it works once. */
const takeChallenge = async ({ db, now }: Context, message: string): Promise<{ address: Address }> => {
  const nonce = nonceOf(message);
  const taken =
    nonce === null
      ? undefined
      : await db
          .deleteFrom('auth_challenge')
          .where('nonce', '=', nonce)
          .returning(['address', 'message', 'expires_at'])
          .executeTakeFirst();
  if (!taken || taken.message !== message || taken.expires_at.getTime() <= now()) {
    throw new MintageError('AUTHENTICATION_FAILED', 'The text is not one of ours, has expired, or was used before');
  }
  return { address: taken.address };
};
