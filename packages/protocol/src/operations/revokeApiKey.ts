import { z } from 'zod';
import { ApiKeyId } from '../schemas/apiKeyParts.ts';
import { operation } from './operation.ts';

export const revokeApiKey = operation({
  name: 'revokeApiKey',
  summary: 'Revokes an API key; it stops working within 5 seconds.',
  description: 'After the answer nothing more is signed for the key, requests that it made before included.',
  method: 'POST',
  path: '/api-keys/revoke',
  tag: 'Auth',
  input: z.strictObject({ id: ApiKeyId.meta({ description: 'Of the key, as `/api-keys/list` has it.' }) }),
  output: z.strictObject({ success: z.literal(true) }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
