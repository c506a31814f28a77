import type { AnswerOf } from '@mintage/protocol/operations';
import type { Db } from '../../db/serviceTables.ts';
import { accessTokenSeconds } from './accessTokens.ts';
import type { Auth } from './auth.ts';
import { startSession } from './sessions.ts';

/** Who somebody proved to be. */
export interface Proved {
  userId: string;
  /** By which they proved it; absent: otherwise. */
  passkeyId?: string;
}

/**
 * Starts a session of whoever proves to be a user.
 *
 * @param prove - Uses up what it checks. Called once the signing key is open: while that is unavailable, nothing is used up.
 */
export const signedIn = async (
  { db, auth, now }: { db: Db; auth: Pick<Auth, 'signingKeys' | 'issueAccessToken'>; now: () => number },
  prove: () => Promise<Proved>,
): Promise<AnswerOf<'authLogin'>> => {
  await auth.signingKeys.newest();
  const { userId, passkeyId = null } = await prove();
  const session = await startSession(db, userId, now(), passkeyId);
  const { refreshToken } = session;
  return { accessToken: await auth.issueAccessToken(session), refreshToken, expiresIn: accessTokenSeconds, userId };
};
