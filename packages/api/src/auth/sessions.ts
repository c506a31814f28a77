import { createHash, randomUUID } from 'node:crypto';
import { MintageError } from '@mintage/protocol';
import type { Db } from '../db/db.ts';
import { randomBase62 } from './base62.ts';

const refreshTokenMs = 30 * 24 * 3_600_000;

/** A refresh token and whose it is. */
export interface Session {
  refreshToken: string;
  userId: string;
}

/** Starts a session: a new family with its first refresh token. The user's expired tokens go. */
export const startSession = async (db: Db, userId: string, nowMs: number): Promise<Session> => {
  await db
    .deleteFrom('refresh_token')
    .where('user_id', '=', userId)
    .where('expires_at', '<=', new Date(nowMs))
    .execute();
  return nextToken(db, userId, randomUUID(), nowMs);
};

/**
 * Exchanges a refresh token for the next one of its family.
 *
 * @throws MintageError AUTHENTICATION_FAILED; a token that was used before has then ended its family, because either the
 * user or a thief holds the newer one.
 */
export const continueSession = async (db: Db, refreshToken: string, nowMs: number): Promise<Session> => {
  // Of two exchanges at once the second waits for the first, finds the token used, and ends the family whole.
  const session = await db.transaction().execute(async (tx) => {
    const used = await tx
      .updateTable('refresh_token')
      .set({ used_at: new Date(nowMs) })
      .where('token_hash', '=', hashOf(refreshToken))
      .where('used_at', 'is', null)
      .where('expires_at', '>', new Date(nowMs))
      .returning(['family_id', 'user_id'])
      .executeTakeFirst();
    return used ? nextToken(tx, used.user_id, used.family_id, nowMs) : null;
  });
  if (session) return session;
  await endSession(db, refreshToken);
  throw new MintageError('AUTHENTICATION_FAILED', 'The refresh token is unknown, expired or was used before');
};

/** Ends the family of a refresh token; an unknown token ends nothing. */
export const endSession = async (db: Db, refreshToken: string): Promise<void> => {
  await db
    .deleteFrom('refresh_token')
    .where('family_id', 'in', (query) =>
      query.selectFrom('refresh_token').select('family_id').where('token_hash', '=', hashOf(refreshToken)),
    )
    .execute();
};

const nextToken = async (db: Db, userId: string, familyId: string, nowMs: number): Promise<Session> => {
  const refreshToken = randomBase62(43);
  await db
    .insertInto('refresh_token')
    .values({
      token_hash: hashOf(refreshToken),
      family_id: familyId,
      user_id: userId,
      used_at: null,
      expires_at: new Date(nowMs + refreshTokenMs),
    })
    .execute();
  return { refreshToken, userId };
};

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
