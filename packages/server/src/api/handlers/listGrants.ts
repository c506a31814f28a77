import { type Budget, definitions } from '@mintage/protocol/operations';
import { budgetsOf } from '../accounts/budgets.ts';
import type { Scope } from '../accounts/caller.ts';
import { handler } from './handler.ts';

export const listGrants = handler(definitions.listGrants, async ({ db, now, config }, _input, { caller }) => {
  const rows = await db
    .selectFrom('oauth_grant')
    .selectAll()
    .where('user_id', '=', caller.userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date(now()))
    .orderBy('created_at', 'desc')
    .orderBy('grant_id')
    .execute();
  const budgets = await budgetsOf(db, caller.userId, config.recipientDelayHours);
  return {
    grants: rows.map((row) => ({
      id: row.grant_id,
      clientId: row.client_id,
      clientName: row.client_name,
      redirectHost: row.redirect_host,
      scopes: row.scopes as Scope[],
      budget: budgets.get(row.grant_id) as Budget, // written with the grant, never deleted
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
    })),
  };
});
