import { invalid } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { revokeCredential } from '../accounts/budgets.ts';
import { handler } from './handler.ts';

export const revokeApiKey = handler(definitions.revokeApiKey, async ({ db, auth, now }, input, { caller }) => {
  const revoked = await db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('api_key')
      .set({ revoked_at: new Date(now()) })
      .where('id', '=', input.id)
      .where('user_id', '=', caller.userId)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (row) await revokeCredential(tx, row.id, caller.userId);
    return row;
  });
  if (!revoked) throw invalid('id', 'must be one of your API keys that is not revoked yet');
  auth.forgetApiKey(revoked.id);
  return { success: true };
});
