import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { recordOnly, wantedEvent } from '../accounts/webhooks/queue.ts';
import { startOf } from '../accounts/webhooks/startOf.ts';
import { attemptRecord, ownWebhookRecord, webhookNotFound } from '../accounts/webhooks/webhookRecord.ts';
import { attemptDelivery } from '../events/attemptDelivery.ts';
import { handler } from './handler.ts';

export const redeliverWebhook = handler(definitions.redeliverWebhook, async (context, input, { caller }) => {
  const { db, now, webhookKeys } = context;
  const { id, seq, cursor, sinceTimestamp } = input;
  const webhook = await ownWebhookRecord(context, caller, id);
  if (seq !== undefined) {
    const event = await wantedEvent(db, id, seq);
    if (event === null) throw new MintageError('EVENT_NOT_FOUND', 'The webhook delivers no such event, or no longer');
    const keys = await webhookKeys.of(id, new Date(now()));
    if (keys.length === 0) throw webhookNotFound();
    const outcome = await attemptDelivery(context, webhook, keys, event, null);
    const entry = await recordOnly(db, id, {
      seq,
      attempt: 1,
      cause: 'redelivery',
      response_code: outcome.responseCode,
      error: outcome.error,
      duration_ms: outcome.durationMs,
      at: new Date(now()),
      next_attempt_at: null,
    });
    return { webhook: await ownWebhookRecord(context, caller, id), delivery: attemptRecord(entry) };
  }
  const moves = cursor !== undefined || sinceTimestamp !== undefined;
  const start = moves
    ? await startOf(db, webhook.subscription.topic, { cursor, sinceTimestamp }, 'cursor')
    : webhook.cursor;
  await db
    .updateTable('webhook')
    .set({
      ...(moves ? { cursor: start } : {}),
      status: 'active',
      failures: 0,
      failing_since: null,
      last_error: null,
      next_attempt_at: new Date(now()),
      // Ends the lease, so that a turn in progress does not move the cursor again.
      lease_owner: null,
      lease_until: sql`now()`,
    })
    .where('id', '=', id)
    .where('user_id', '=', caller.userId)
    .execute();
  return { webhook: await ownWebhookRecord(context, caller, id), delivery: null };
});
