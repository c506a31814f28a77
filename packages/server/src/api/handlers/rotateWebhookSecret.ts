import { definitions } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { holdSession } from '../accounts/sessions.ts';
import { newKey, secretOf } from '../accounts/webhooks/sign.ts';
import { webhookNotFound } from '../accounts/webhooks/webhookRecord.ts';
import { handler } from './handler.ts';

export const rotateWebhookSecret = handler(definitions.rotateWebhookSecret, async (context, input, { caller }) => {
  const { db, now, webhookKeys } = context;
  const key = newKey();
  const sealed = await webhookKeys.seal(input.id, key);
  const until = new Date(now() + input.overlapSeconds * 1000);
  await db.transaction().execute(async (tx) => {
    await holdSession(tx, caller, now());
    // Also ends the lease: a turn that holds the old keys stops after its current event.
    const own = await tx
      .updateTable('webhook')
      .set({ lease_owner: null, lease_until: sql<Date>`now()` })
      .where('id', '=', input.id)
      .where('user_id', '=', caller.userId)
      .returning('id')
      .executeTakeFirst();
    if (!own) throw webhookNotFound();
    await tx
      .updateTable('webhook_secret')
      .set({
        sealed_secret: sealed,
        sealed_previous: sql<string>`sealed_secret`,
        previous_until: until,
      })
      .where('webhook_id', '=', own.id)
      .execute();
  });
  return { secret: secretOf(key), previousSecretUntil: until.toISOString() };
});
