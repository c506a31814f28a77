import { definitions } from '@mintage/protocol/operations';
import { webhookNotFound } from '../accounts/webhooks/webhookRecord.ts';
import { handler } from './handler.ts';

export const deleteWebhook = handler(definitions.deleteWebhook, async ({ db }, { id }, { caller }) => {
  const gone = await db
    .deleteFrom('webhook')
    .where('id', '=', id)
    .where('user_id', '=', caller.userId)
    .returning('id')
    .executeTakeFirst();
  if (!gone) throw webhookNotFound();
  return { success: true };
});
