import { z } from 'zod';
import { Webhook } from '../schemas/webhookParts.ts';
import { operation } from './operation.ts';

export const listWebhooks = operation({
  name: 'listWebhooks',
  summary: 'Lists the caller’s webhooks with their delivery state, newest first.',
  method: 'POST',
  path: '/list-webhooks',
  tag: 'Streams',
  input: z.object({}),
  output: z.strictObject({ webhooks: z.array(Webhook) }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
  example: {},
});
