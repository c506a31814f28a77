import type { Scope } from '../context.ts';
import type { Db } from '../db/db.ts';

/** After this the user is asked again. */
export const grantDays = 90;

export interface NewGrant {
  grantId: string;
  userId: string;
  clientId: string;
  clientName: string;
  redirectHost: string;
  scopes: readonly Scope[];
  perTradeUsd18: bigint;
  perDayUsd18: bigint;
  /** Where it may execute. */
  chainIds: readonly number[];
}

/**
 * Writes down what a user allowed, with its budget: a credential without one could spend all that its user can, so a grant
 * that may not execute has a budget of nothing.
 */
export const addGrant = async (db: Db, grant: NewGrant, nowMs: number): Promise<void> => {
  const created_at = new Date(nowMs);
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('budget')
      .values({
        credential: grant.grantId,
        user_id: grant.userId,
        per_trade_usd18: grant.perTradeUsd18,
        per_day_usd18: grant.perDayUsd18,
        chain_ids: [...grant.chainIds],
        created_at,
      })
      .execute();
    await tx
      .insertInto('oauth_grant')
      .values({
        grant_id: grant.grantId,
        user_id: grant.userId,
        client_id: grant.clientId,
        client_name: grant.clientName,
        redirect_host: grant.redirectHost,
        scopes: [...grant.scopes],
        created_at,
        expires_at: new Date(nowMs + grantDays * 24 * 3_600_000),
        revoked_at: null,
        last_used_at: null,
      })
      .execute();
  });
};

/**
 * Ends a grant and everything issued under it. Its budget stays: without one nothing would bound it.
 *
 * @param userId - When given, only a grant of this user.
 * @returns False when there is no such grant that is not revoked yet.
 */
export const endGrant = async (db: Db, grantId: string, nowMs: number, userId?: string): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('oauth_grant')
      .set({ revoked_at: new Date(nowMs) })
      .where('grant_id', '=', grantId)
      .where('revoked_at', 'is', null)
      .$if(userId !== undefined, (query) => query.where('user_id', '=', userId as string))
      .returning('grant_id')
      .executeTakeFirst();
    if (!ended) return false;
    await tx.deleteFrom('oauth_item').where('grant_id', '=', grantId).execute();
    return true;
  });
