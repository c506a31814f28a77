import { z } from 'zod';
import { WebhookId } from '../schemas/webhookParts.ts';
import { operation } from './operation.ts';

export const deleteWebhook = operation({
  name: 'deleteWebhook',
  summary: 'Deletes a webhook with its secret and log. A delivery on its way may still arrive.',
  method: 'POST',
  path: '/delete-webhook',
  tag: 'Streams',
  input: z.strictObject({ id: WebhookId }),
  output: z.strictObject({ success: z.literal(true) }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'WEBHOOK_NOT_FOUND'],
  access: 'caller',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
