import type { IncomingHttpHeaders } from 'node:http';
import type { AnswerOf } from '@mintage/protocol/operations';
import { accessTokenSeconds } from './accessTokens.ts';
import type { Auth } from './auth.ts';
import { waitsUntil } from './caller.ts';
import { deviceOf } from './device.ts';
import type { Accounts } from './rowSeals.ts';
import { type Beginning, startSession } from './sessions.ts';

/** Who somebody proved to be, and by what. */
type Proved = Pick<Beginning, 'userId' | 'passkeyId' | 'wallet' | 'actsFrom'>;

/**
 * Starts a session of whoever proves to be a user.
 *
 * @param prove - Uses up what it checks. Called once the signing key is open: while that is unavailable, nothing is used up.
 */
export const signedIn = async (
  context: Accounts & { auth: Pick<Auth, 'signingKeys' | 'issueAccessToken'>; now: () => number },
  { http }: { http?: { headers: IncomingHttpHeaders } },
  prove: () => Promise<Proved>,
): Promise<AnswerOf<'authLogin'>> => {
  const { auth, now } = context;
  await auth.signingKeys.newest();
  const device = deviceOf(http?.headers['user-agent']);
  const session = await startSession(context, { ...(await prove()), device }, now());
  const { refreshToken, userId } = session;
  const confirmedAtMs = waitsUntil(session.actsFrom, now()) === null ? now() : null;
  const accessToken = await auth.issueAccessToken({ ...session, confirmedAtMs });
  return { accessToken, refreshToken, expiresIn: accessTokenSeconds, userId };
};
