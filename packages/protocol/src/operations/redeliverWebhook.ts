import { z } from 'zod';
import { optional } from '../schemas/scalars.ts';
import { SinceTimestamp, StreamCursor, StreamSeq } from '../schemas/subscription.ts';
import { Webhook, WebhookAttempt, WebhookId } from '../schemas/webhookParts.ts';
import { operation } from './operation.ts';

export const redeliverWebhook = operation({
  name: 'redeliverWebhook',
  summary: 'Delivers one event again, or everything from a place on, or goes on at once after failures.',
  description:
    'With `seq`: that event is sent now, and the answer says how it went; the webhook stays where it is. With `cursor` ' +
    'or `sinceTimestamp`: the webhook moves there and goes on from there. With neither: it goes on where it stands, ' +
    'without waiting for its next attempt. The last two also take a disabled webhook up again. `webhook-id` of an event ' +
    'is the same each time.',
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
    delivery: WebhookAttempt.nullable().meta({ description: 'Of `seq`; null without it.' }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'WEBHOOK_NOT_FOUND', 'EVENT_NOT_FOUND'],
  access: 'caller',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
