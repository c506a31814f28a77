import { definitions } from '@mintage/protocol/operations';
import { accessTokenSeconds } from '../accounts/accessTokens.ts';
import { continueSession } from '../accounts/sessions.ts';
import { handler } from './handler.ts';

export const authRefresh = handler(definitions.authRefresh, async (context, input) => {
  const { auth, now } = context;
  await auth.signingKeys.newest(); // opened first: while the key is unavailable, the refresh token must not be used up
  const session = await continueSession(context, input.refreshToken, now());
  const { refreshToken, userId } = session;
  return { accessToken: await auth.issueAccessToken(session), refreshToken, expiresIn: accessTokenSeconds, userId };
});
