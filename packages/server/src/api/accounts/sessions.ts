import { createHash, randomUUID } from 'node:crypto';
import { MintageError } from '@mintage/protocol';
import type { Db, Tx } from '../../db/serviceTables.ts';
import { accessTokenSeconds } from './accessTokens.ts';
import { randomBase62 } from './base62.ts';
import type { Caller } from './caller.ts';

const refreshTokenMs = 30 * 24 * 3_600_000;
/** How far the clock of a foreign issuer may be ahead. */
const mostSkewMs = 60_000;

/** A sign-in session of a user, with its newest refresh token. */
export interface Session {
  /** Of `session`. */
  sessionId: string;
  userId: string;
  /** In the clear: the database has only its hash. */
  refreshToken: string;
}

/**
 * Starts a session and issues its first refresh token. Deletes the user's expired sessions.
 *
 * @param passkeyId - The session ends with this passkey; null: with none.
 * @throws MintageError AUTHENTICATION_FAILED when the passkey is removed at this moment.
 */
export const startSession = async (
  db: Db,
  userId: string,
  nowMs: number,
  passkeyId: string | null = null,
): Promise<Session> => {
  const now = new Date(nowMs);
  await db
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where(({ not, exists, selectFrom }) => {
      const good = selectFrom('refresh_token').select('token_hash').where('expires_at', '>', now);
      return not(exists(good.whereRef('refresh_token.session_id', '=', 'session.session_id')));
    })
    .execute();
  await db.deleteFrom('refresh_token').where('user_id', '=', userId).where('expires_at', '<=', now).execute();
  const sessionId = randomUUID();
  return db.transaction().execute(async (tx) => {
    if (passkeyId !== null) await holdPasskey(tx, passkeyId);
    await tx.insertInto('session').values({ session_id: sessionId, user_id: userId, passkey_id: passkeyId }).execute();
    return nextToken(tx, userId, sessionId, nowMs);
  });
};

/** Locks the passkey, so that no session of it is begun after its removal. */
const holdPasskey = async (tx: Tx, passkeyId: string): Promise<void> => {
  const there = tx.selectFrom('passkey').select('credential_id').where('credential_id', '=', passkeyId).forKeyShare();
  if ((await there.executeTakeFirst()) === undefined) {
    throw new MintageError('AUTHENTICATION_FAILED', 'The passkey was removed');
  }
};

/**
 * Exchanges a refresh token for the next one of its session.
 *
 * @throws MintageError AUTHENTICATION_FAILED; reuse of a token ends its session, because either the user or a thief
 * holds the newer one.
 */
export const continueSession = async (db: Db, refreshToken: string, nowMs: number): Promise<Session> => {
  const token = await db
    .selectFrom('refresh_token')
    .select('session_id')
    .where('token_hash', '=', hashOf(refreshToken))
    .executeTakeFirst();
  const session = await db.transaction().execute(async (tx) => {
    // Locks the session row; a session that ends at this moment gets no further token.
    if (token === undefined || !(await isHeld(tx, token.session_id))) return null;
    // When two exchanges use the same token at once, the second waits for the first, finds the token used, and ends the
    // session.
    const used = await tx
      .updateTable('refresh_token')
      .set({ used_at: new Date(nowMs) })
      .where('token_hash', '=', hashOf(refreshToken))
      .where('used_at', 'is', null)
      .where('expires_at', '>', new Date(nowMs))
      .returning(['session_id', 'user_id'])
      .executeTakeFirst();
    return used ? nextToken(tx, used.user_id, used.session_id, nowMs) : null;
  });
  if (session) return session;
  await endSession(db, refreshToken);
  throw new MintageError('AUTHENTICATION_FAILED', 'The refresh token is unknown, expired or was used before');
};

/** Ends the session of a refresh token; an unknown token ends nothing. */
export const endSession = async (db: Db, refreshToken: string): Promise<void> => {
  await db
    .deleteFrom('session')
    .where('session_id', 'in', (query) =>
      query.selectFrom('refresh_token').select('session_id').where('token_hash', '=', hashOf(refreshToken)),
    )
    .execute();
};

const sessionRow = (db: Db, sessionId: string) =>
  db.selectFrom('session').select('session_id').where('session_id', '=', sessionId);

/** Whether a session is active. Takes no lock, so it also works on a read-only database. */
export const isAlive = async (db: Db, sessionId: string): Promise<boolean> =>
  (await sessionRow(db, sessionId).executeTakeFirst()) !== undefined;

/** Whether a session is active; locks it, so that it cannot end before the transaction does. */
const isHeld = async (tx: Tx, sessionId: string): Promise<boolean> =>
  (await sessionRow(tx, sessionId).forKeyShare().executeTakeFirst()) !== undefined;

/**
 * Guards operations that grant rights or create lasting resources: only the signed-in user may call them. Reads the
 * session from the database each time, so that ending a session takes effect at once in every process. A handler that
 * writes checks again inside its transaction with `holdSession`.
 *
 * @throws MintageError SCOPE_MISSING for a key, a grant or a wallet's signature, AUTHENTICATION_FAILED after the end.
 */
export const requireSession = (db: Db, caller: Pick<Caller, 'session'>, nowMs: number): Promise<void> =>
  judge(caller, nowMs, (sessionId) => isAlive(db, sessionId));

/**
 * As `requireSession`, inside a transaction: the session cannot end before the transaction commits, so nothing is
 * written after its end.
 */
export const holdSession = (tx: Tx, caller: Pick<Caller, 'session'>, nowMs: number): Promise<void> =>
  judge(caller, nowMs, (sessionId) => isHeld(tx, sessionId));

const judge = async (
  { session }: Pick<Caller, 'session'>,
  nowMs: number,
  isThere: (sessionId: string) => Promise<boolean>,
): Promise<void> => {
  if (session === null) {
    throw new MintageError('SCOPE_MISSING', 'Only the user may do this, with the access token of a sign-in', {
      details: [{ path: 'credential', message: 'an access token of a sign-in' }],
    });
  }
  const lives = 'issuedAtMs' in session ? isFresh(session.issuedAtMs, nowMs) : await isThere(session.sessionId);
  if (!lives) throw new MintageError('AUTHENTICATION_FAILED', 'The session has ended, or its sign-in is too long ago');
};

/**
 * A foreign issuer's session cannot be looked up: its token counts as a sign-in for as long as one of our access tokens
 * lives.
 */
const isFresh = (issuedAtMs: number, nowMs: number): boolean =>
  issuedAtMs <= nowMs + mostSkewMs && nowMs < issuedAtMs + accessTokenSeconds * 1000;

const nextToken = async (db: Db, userId: string, sessionId: string, nowMs: number): Promise<Session> => {
  const refreshToken = randomBase62(43);
  await db
    .insertInto('refresh_token')
    .values({
      token_hash: hashOf(refreshToken),
      session_id: sessionId,
      user_id: userId,
      used_at: null,
      expires_at: new Date(nowMs + refreshTokenMs),
    })
    .execute();
  return { sessionId, userId, refreshToken };
};

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
