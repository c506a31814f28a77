import { z } from 'zod';
import { ApiKeyId } from '../schemas/apiKeyParts.ts';
import { operation } from './operation.ts';

export const revokeApiKey = operation({
  name: 'revokeApiKey',
  summary: 'Revokes an API key; it stops working within 5 seconds.',
  description: 'Nothing more is signed for it from the answer on, also of what it had asked for before.',
  method: 'POST',
  path: '/api-keys/revoke',
  tag: 'Auth',
  input: z.strictObject({ id: ApiKeyId }),
  output: z.strictObject({ success: z.literal(true) }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
