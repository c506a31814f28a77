import { z } from 'zod';
import { IsoTime } from '../schemas/scalars.ts';
import { WebhookId, WebhookSecret } from '../schemas/webhookParts.ts';
import { operation } from './operation.ts';

export const rotateWebhookSecret = operation({
  name: 'rotateWebhookSecret',
  summary: 'Creates a new signing secret for a webhook. The old secret stays valid beside it for a while.',
  description: 'A second rotation ends the validity of the secret before the previous one at once.',
  method: 'POST',
  path: '/rotate-webhook-secret',
  tag: 'Streams',
  input: z.strictObject({
    id: WebhookId,
    overlapSeconds: z
      .number()
      .int('must be a whole number')
      .min(0)
      .max(604_800, 'must be at most 604800: 7 days')
      .default(86_400)
      .meta({ description: 'How long the old secret still signs too; 0 after a leak. Absent means 86400: a day.' }),
  }),
  output: z.strictObject({ secret: WebhookSecret, previousSecretUntil: IsoTime }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'WEBHOOK_NOT_FOUND'],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
