import { definitions } from '@mintage/protocol/operations';
import { handler } from './handler.ts';

export const listPasskeys = handler(definitions.listPasskeys, async ({ db }, _input, { caller }) => {
  const rows = await db
    .selectFrom('passkey')
    .selectAll()
    .where('user_id', '=', caller.userId)
    .orderBy('created_at', 'desc')
    .orderBy('credential_id')
    .execute();
  return {
    passkeys: rows.map((row) => ({
      id: row.credential_id,
      name: row.name,
      synced: row.synced,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
      actsFrom: row.acts_from?.toISOString() ?? null,
    })),
  };
});
