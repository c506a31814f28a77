import type { HandlerOf, Scope } from '../context.ts';

export const listApiKeys: HandlerOf<'listApiKeys'> = async ({ db, now }, _input, { caller }) => {
  const rows = await db
    .selectFrom('api_key')
    .selectAll()
    .where('user_id', '=', caller.userId)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', new Date(now()))]))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return {
    keys: rows.map((row) => ({
      id: row.id,
      name: row.name,
      prefix: row.prefix,
      scopes: row.scopes as Scope[],
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at?.toISOString() ?? null,
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
    })),
  };
};
