import { z } from 'zod';
import { ApiKey } from '../schemas/apiKeyParts.ts';
import { operation } from './operation.ts';

export const listApiKeys = operation({
  name: 'listApiKeys',
  summary: 'Lists the caller’s API keys that are not revoked, newest first.',
  method: 'POST',
  path: '/api-keys/list',
  tag: 'Auth',
  input: z.object({}),
  output: z.strictObject({ keys: z.array(ApiKey) }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
  example: {},
});
