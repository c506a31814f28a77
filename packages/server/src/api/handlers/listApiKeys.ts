import { definitions } from '@mintage/protocol/operations';
import { budgetsOf } from '../accounts/budgets.ts';
import type { Scope } from '../accounts/caller.ts';
import { handler } from './handler.ts';

export const listApiKeys = handler(definitions.listApiKeys, async ({ db, now, config }, _input, { caller }) => {
  const rows = await db
    .selectFrom('api_key')
    .selectAll()
    .where('user_id', '=', caller.userId)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', new Date(now()))]))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  const budgets = await budgetsOf(db, caller.userId, config.recipientDelayHours);
  return {
    keys: rows.map((row) => ({
      id: row.id,
      name: row.name,
      prefix: row.prefix,
      scopes: row.scopes as Scope[],
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at?.toISOString() ?? null,
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
      budget: budgets.get(row.id) ?? null,
    })),
  };
});
