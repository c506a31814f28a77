import { webhookNotFound } from '../accounts/webhookRecord.ts';
import type { HandlerOf } from './context.ts';

export const deleteWebhook: HandlerOf<'deleteWebhook'> = async ({ db }, { id }, { caller }) => {
  const gone = await db
    .deleteFrom('webhook')
    .where('id', '=', id)
    .where('user_id', '=', caller.userId)
    .returning('id')
    .executeTakeFirst();
  if (!gone) throw webhookNotFound();
  return { success: true };
};
