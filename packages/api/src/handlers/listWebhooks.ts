import type { HandlerOf } from '../context.ts';
import { webhookRecords } from '../webhooks/webhookRecord.ts';

export const listWebhooks: HandlerOf<'listWebhooks'> = async (context, _input, { caller }) => ({
  webhooks: await webhookRecords(context, caller),
});
