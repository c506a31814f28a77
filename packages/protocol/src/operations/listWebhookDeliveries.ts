import { z } from 'zod';
import { limitUpTo } from '../schemas/paging.ts';
import { optional } from '../schemas/scalars.ts';
import { StreamSeq } from '../schemas/subscription.ts';
import { WebhookAttempt, WebhookId } from '../schemas/webhookParts.ts';
import { operation } from './operation.ts';

export const listWebhookDeliveries = operation({
  name: 'listWebhookDeliveries',
  summary: 'Lists every delivery attempt of a webhook, newest first.',
  description:
    'The newest 10,000 attempts of a webhook are kept. For the next page pass the last `number` of this page as ' +
    '`before`.',
  method: 'POST',
  path: '/list-webhook-deliveries',
  tag: 'Streams',
  input: z.object({
    id: WebhookId,
    status: optional(z.enum(['delivered', 'failed'])).meta({ description: 'Only attempts with this outcome.' }),
    seq: optional(StreamSeq).meta({ description: 'Only attempts of this event.' }),
    before: optional(z.int().positive()).meta({ description: 'Only attempts with a smaller number.' }),
    limit: limitUpTo(100, 50),
  }),
  output: z.strictObject({ deliveries: z.array(WebhookAttempt) }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'WEBHOOK_NOT_FOUND'],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
});
