import { webhookRecords } from '../accounts/webhookRecord.ts';
import type { HandlerOf } from './context.ts';

export const listWebhooks: HandlerOf<'listWebhooks'> = async (context, _input, { caller }) => ({
  webhooks: await webhookRecords(context, caller),
});
