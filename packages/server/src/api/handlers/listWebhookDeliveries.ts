import { definitions } from '@mintage/protocol/operations';
import { attemptRecord, ownWebhookRecord } from '../accounts/webhooks/webhookRecord.ts';
import { handler } from './handler.ts';

export const listWebhookDeliveries = handler(definitions.listWebhookDeliveries, async (context, input, { caller }) => {
  const { id, status, seq, before, limit } = input;
  await ownWebhookRecord(context, caller, id);
  let attempts = context.db.selectFrom('webhook_attempt').selectAll().where('webhook_id', '=', id);
  if (status !== undefined) attempts = attempts.where('error', status === 'delivered' ? 'is' : 'is not', null);
  if (seq !== undefined) attempts = attempts.where('seq', '=', seq);
  if (before !== undefined) attempts = attempts.where('number', '<', before);
  const rows = await attempts.orderBy('number', 'desc').limit(limit).execute();
  return { deliveries: rows.map(attemptRecord) };
});
