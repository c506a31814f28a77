import { createHash, randomUUID } from 'node:crypto';
import { type Address, MintageError } from '@mintage/protocol';
import type { AnswerOf } from '@mintage/protocol/operations';
import type { Db, RefreshTokenTable, SessionTable, Tx } from '../../db/serviceTables.ts';
import { accessTokenSeconds } from './accessTokens.ts';
import { randomBase62 } from './base62.ts';
import { revokeCredential } from './budgets.ts';
import type { Caller } from './caller.ts';
import { requireNotFrozen } from './newAccess.ts';
import { type Accounts, sealed } from './rowSeals.ts';
import { lockUser } from './users.ts';

const refreshTokenMs = 30 * 24 * 3_600_000;
/**
 * How long after its use a refresh token can be exchanged once more: longer than a client waits for an answer (30 s), and a page
 * for its network.
 */
const repeatMs = 60_000;
/** How far the clock of a foreign issuer may be ahead. */
const mostSkewMs = 60_000;

/** A sign-in session of a user, with its newest refresh token. */
export interface Session {
  /** Of `session`. */
  sessionId: string;
  userId: string;
  /** In the clear: the database has only its hash. */
  refreshToken: string;
  /** From when it acts; null: it does not wait. */
  actsFrom: Date | null;
}

/** How a session begins. */
export interface Beginning {
  userId: string;
  /** That signed in: the session ends with it. */
  passkeyId?: string | undefined;
  /** That signed in. */
  wallet?: Address | undefined;
  /** From when what signed in acts; null or absent: it does not wait. */
  actsFrom?: Date | null | undefined;
  /** As `deviceOf` says. */
  device?: string | null;
}

/**
 * Starts a session and issues its first refresh token. Deletes the user's expired sessions.
 *
 * @throws MintageError AUTHENTICATION_FAILED when the passkey or wallet is removed at this moment; ACCOUNT_FROZEN.
 */
export const startSession = async (
  { db, seals }: Accounts,
  { userId, passkeyId, wallet, actsFrom = null, device = null }: Beginning,
  nowMs: number,
): Promise<Session> => {
  const now = new Date(nowMs);
  await db.deleteFrom('session').where('user_id', '=', userId).where('refreshed_at', '<=', oldest(nowMs)).execute();
  await db.deleteFrom('refresh_token').where('user_id', '=', userId).where('expires_at', '<=', now).execute();
  const sessionId = randomUUID();
  return db.transaction().execute(async (tx) => {
    await requireNotFrozen(tx, userId);
    if (passkeyId !== undefined) await holdPasskey(tx, passkeyId);
    if (wallet !== undefined) await holdWallet(tx, wallet);
    await tx
      .insertInto('session')
      .values({
        session_id: sessionId,
        user_id: userId,
        created_at: now,
        refreshed_at: now,
        passkey_id: passkeyId ?? null,
        wallet: wallet ?? null,
        device,
      })
      .execute();
    return nextToken({ db: tx, seals }, { userId, sessionId, actsFrom }, nowMs);
  });
};

/** Sessions that were last refreshed then have ended. */
const oldest = (nowMs: number): Date => new Date(nowMs - refreshTokenMs);

/** Locks the passkey, so that no session of it is begun after its removal. */
const holdPasskey = async (tx: Tx, passkeyId: string): Promise<void> => {
  const there = tx.selectFrom('passkey').select('credential_id').where('credential_id', '=', passkeyId).forKeyShare();
  if ((await there.executeTakeFirst()) === undefined) {
    throw new MintageError('AUTHENTICATION_FAILED', 'The passkey was removed');
  }
};

/** As `holdPasskey`. */
const holdWallet = async (tx: Tx, wallet: Address): Promise<void> => {
  const there = tx.selectFrom('user_wallet').select('address').where('address', '=', wallet).forKeyShare();
  if ((await there.executeTakeFirst()) === undefined) {
    throw new MintageError('AUTHENTICATION_FAILED', 'The wallet was unlinked');
  }
};

/**
 * Exchanges a refresh token for the next one of its session. Where the answer was lost, as by a page that was left meanwhile, the
 * same token can be exchanged once more.
 *
 * @throws MintageError AUTHENTICATION_FAILED; any other reuse of a token ends its session, because either the user or a
 * thief holds the newer one.
 */
export const continueSession = async (
  { db, seals }: Accounts,
  refreshToken: string,
  nowMs: number,
): Promise<Session> => {
  const hash = hashOf(refreshToken);
  const now = new Date(nowMs);
  const next = await db.transaction().execute(async (tx) => {
    // Locks the row: exchanges of one session wait here for each other, so each finds the tokens as the last one left them.
    const session = await tx
      .updateTable('session')
      .set({ refreshed_at: now })
      .where('session_id', 'in', sessionOfToken(tx, hash))
      .returning(['session_id', 'user_id'])
      .executeTakeFirst();
    if (session === undefined) return null;
    const token = await tx.selectFrom('refresh_token').selectAll().where('token_hash', '=', hash).executeTakeFirst();
    const isFirst = token?.used_at === null;
    // Of this session and user: another one, or one that was written by somebody else, continues nothing.
    const isOurs =
      token?.user_id === session.user_id &&
      seals.holds(sealed.refreshToken({ ...token, token_hash: hash }), token.seal);
    if (token === undefined || !isOurs || token.expires_at <= now || !(isFirst || (await takeBack(tx, token, now)))) {
      await tx.deleteFrom('session').where('session_id', '=', session.session_id).execute();
      await revokeSessions(tx, [session]);
      return null;
    }
    await requireNotFrozen(tx, session.user_id);
    const { user_id: userId, session_id: sessionId } = session;
    const next = await nextToken({ db: tx, seals }, { userId, sessionId, actsFrom: token.acts_from }, nowMs);
    await tx
      .updateTable('refresh_token')
      .set({ used_at: now, successor_hash: isFirst ? hashOf(next.refreshToken) : null })
      .where('token_hash', '=', hash)
      .execute();
    return next;
  });
  if (next) return next;
  throw new MintageError('AUTHENTICATION_FAILED', 'The refresh token is unknown, expired or was used before');
};

/**
 * Takes back the token that was issued for this one, because its answer was lost. Whoever has it all the same ends the session by
 * using it.
 *
 * @returns False when it was used, or taken back before, or this token was used too long ago.
 */
const takeBack = async (tx: Tx, { used_at, successor_hash }: RefreshTokenTable, now: Date): Promise<boolean> => {
  if (used_at === null || successor_hash === null || now.getTime() - used_at.getTime() > repeatMs) return false;
  const { numUpdatedRows } = await tx
    .updateTable('refresh_token')
    .set({ used_at: now })
    .where('token_hash', '=', successor_hash)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
};

/** Ends the session of a refresh token; an unknown token ends nothing. */
export const endSessionOf = (db: Db, refreshToken: string): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const ending = tx.deleteFrom('session').where('session_id', 'in', sessionOfToken(tx, hashOf(refreshToken)));
    return revokeSessions(tx, await ending.returning(['session_id', 'user_id']).execute());
  });

const sessionOfToken = (db: Db, hash: string) =>
  db.selectFrom('refresh_token').select('session_id').where('token_hash', '=', hash);

type SessionCaller = Pick<Caller, 'userId' | 'session'>;

/** Of ours; null: a foreign issuer's, or none. */
const ownSessionId = ({ session }: SessionCaller): string | null =>
  session !== null && 'sessionId' in session ? session.sessionId : null;

/** The caller's sessions that have not ended, newest first. */
export const sessionsOf = async (
  db: Db,
  caller: SessionCaller,
  nowMs: number,
): Promise<AnswerOf<'listSessions'>['sessions']> => {
  const rows = await db
    .selectFrom('session')
    .leftJoin('passkey', 'passkey.credential_id', 'session.passkey_id')
    .selectAll('session')
    .select('passkey.name')
    .where('session.user_id', '=', caller.userId)
    .where('refreshed_at', '>', oldest(nowMs))
    .orderBy('session.created_at', 'desc')
    .orderBy('session_id')
    .execute();
  return rows.map((row) => ({
    id: row.session_id,
    current: row.session_id === ownSessionId(caller),
    by: row.passkey_id === null ? 'wallet' : 'passkey',
    wallet: row.wallet,
    passkey: row.name,
    device: row.device,
    createdAt: row.created_at.toISOString(),
    refreshedAt: row.refreshed_at.toISOString(),
  }));
};

/**
 * Ends one session of the caller's, or all but the one that asks. Of two that end each other at once, one does.
 *
 * @returns How many it ended.
 * @throws MintageError as `holdSession`.
 */
export const endSessions = (
  db: Db,
  caller: SessionCaller,
  which: { id: string } | 'others',
  nowMs: number,
): Promise<number> =>
  db.transaction().execute(async (tx) => {
    await lockUser(tx, caller.userId);
    await holdSession(tx, caller, nowMs);
    const own = ownSessionId(caller);
    let ending = tx.deleteFrom('session').where('user_id', '=', caller.userId);
    if (which !== 'others') ending = ending.where('session_id', '=', which.id);
    else if (own !== null) ending = ending.where('session_id', '!=', own);
    return revokeSessions(tx, await ending.returning(['session_id', 'user_id']).execute());
  });

/** What these sessions have queued is not signed any more, also where an older database says that they last. @returns How many there are. */
export const revokeSessions = async (
  tx: Tx,
  sessions: readonly Pick<SessionTable, 'session_id' | 'user_id'>[],
): Promise<number> => {
  for (const { session_id, user_id } of sessions) await revokeCredential(tx, session_id, user_id);
  return sessions.length;
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

const nextToken = async (
  { db, seals }: Accounts,
  session: Omit<Session, 'refreshToken'>,
  nowMs: number,
): Promise<Session> => {
  const refreshToken = randomBase62(43);
  const row = {
    token_hash: hashOf(refreshToken),
    session_id: session.sessionId,
    user_id: session.userId,
    expires_at: new Date(nowMs + refreshTokenMs),
    acts_from: session.actsFrom,
  };
  await db
    .insertInto('refresh_token')
    .values({ ...row, used_at: null, successor_hash: null, seal: seals.of(sealed.refreshToken(row)) })
    .execute();
  return { ...session, refreshToken };
};

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
