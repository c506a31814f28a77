import { definitions } from '@mintage/protocol/operations';
import { webhookRecords } from '../accounts/webhooks/webhookRecord.ts';
import { handler } from './handler.ts';

export const listWebhooks = handler(definitions.listWebhooks, async (context, _input, { caller }) => ({
  webhooks: await webhookRecords(context, caller),
}));
