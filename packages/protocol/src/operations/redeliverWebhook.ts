import { z } from 'zod';
import { optional } from '../schemas/scalars.ts';
import { SinceTimestamp, StreamCursor, StreamSeq } from '../schemas/subscription.ts';
import { Webhook, WebhookAttempt, WebhookId } from '../schemas/webhookParts.ts';
import { operation } from './operation.ts';

export const redeliverWebhook = operation({
  name: 'redeliverWebhook',
  summary: 'Delivers one event again, moves a webhook to an earlier or later event, or retries it at once.',
  description:
    'With `seq`: sends that event now and answers with the result; the position of the webhook does not change. With ' +
    '`cursor` or `sinceTimestamp`: moves the webhook there and continues from there. With neither: continues at the ' +
    'current position without waiting for the next attempt. The last two also enable a disabled webhook again. ' +
    '`webhook-id` of an event is the same in every delivery.',
  method: 'POST',
  path: '/redeliver-webhook',
  tag: 'Streams',
  input: z
    .strictObject({
      id: WebhookId,
      seq: optional(StreamSeq),
      cursor: optional(StreamCursor),
      sinceTimestamp: optional(SinceTimestamp),
    })
    .refine(({ seq, cursor, sinceTimestamp }) => seq === undefined || (cursor ?? sinceTimestamp) === undefined, {
      path: ['seq'],
      error: 'must not stand beside cursor or sinceTimestamp',
    }),
  output: z.strictObject({
    webhook: Webhook,
    delivery: WebhookAttempt.nullable().meta({ description: 'Result of delivering `seq`; null without `seq`.' }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'WEBHOOK_NOT_FOUND', 'EVENT_NOT_FOUND'],
  access: 'caller',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
