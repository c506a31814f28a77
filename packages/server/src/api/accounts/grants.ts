import type { BudgetInput } from '@mintage/protocol/operations';
import type { Db } from '../../db/serviceTables.ts';
import type { Reading } from '../tokens/reading.ts';
import { addBudget, revokeCredential } from './budgets.ts';
import type { Scope } from './caller.ts';
import { tellAccess } from './newAccess.ts';
import { type Accounts, sealed } from './rowSeals.ts';

/** Days after which a grant ends and the user has to consent again. */
export const grantDays = 90;

export interface NewGrant {
  /** Also the `credential` of its budget. */
  grantId: string;
  userId: string;
  /** Address of its published description, or the id that it got when it registered itself. */
  clientId: string;
  /** As the application calls itself: nobody checked it. */
  clientName: string;
  /** Host that the user is sent back to, or an application's scheme with `://`. */
  redirectHost: string;
  scopes: readonly Scope[];
  budget: BudgetInput;
}

/**
 * Stores what a user allowed, with its budget. A credential without a budget could spend everything its user can, so a
 * grant that may not execute has a budget of zero.
 */
export const addGrant = async (
  { db, seals, chains }: Accounts & Pick<Reading, 'chains'>,
  grant: NewGrant,
  nowMs: number,
): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    await addBudget({ chains, seals }, tx, { credential: grant.grantId, userId: grant.userId }, grant.budget);
    const row = {
      grant_id: grant.grantId,
      user_id: grant.userId,
      client_id: grant.clientId,
      scopes: [...grant.scopes],
      created_at: new Date(nowMs),
      expires_at: new Date(nowMs + grantDays * 24 * 3_600_000),
    };
    await tx
      .insertInto('oauth_grant')
      .values({
        ...row,
        client_name: grant.clientName,
        redirect_host: grant.redirectHost,
        seal: seals.of(sealed.oauthGrant(row)),
        revoked_at: null,
        last_used_at: null,
      })
      .execute();
    if (grant.scopes.includes('execute')) await tellAccess(tx, grant.userId, 'app_allowed', grant.grantId, nowMs);
  });
};

/** Whether some user has an active grant for this client and was shown this host as its destination. */
export const isAllowedSomething = async (
  db: Db,
  { clientId, redirectHost }: Pick<NewGrant, 'clientId' | 'redirectHost'>,
  nowMs: number,
): Promise<boolean> => {
  const row = await db
    .selectFrom('oauth_grant')
    .select('grant_id')
    .where('client_id', '=', clientId)
    .where('redirect_host', '=', redirectHost)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date(nowMs))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

/**
 * Ends a grant, all tokens issued under it, and its intents that are not signed yet.
 *
 * @param userId - When given, only a grant of this user.
 * @returns False when there is no such active grant.
 */
export const endGrant = async (db: Db, grantId: string, nowMs: number, userId?: string): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('oauth_grant')
      .set({ revoked_at: new Date(nowMs) })
      .where('grant_id', '=', grantId)
      .where('revoked_at', 'is', null)
      .$if(userId !== undefined, (query) => query.where('user_id', '=', userId as string))
      .returning('user_id')
      .executeTakeFirst();
    if (!ended) return false;
    await tx.deleteFrom('oauth_item').where('grant_id', '=', grantId).execute();
    await revokeCredential(tx, grantId, ended.user_id);
    return true;
  });
