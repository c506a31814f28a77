import { z } from 'zod';
import { operation } from '../operation.ts';
import { IsoTime, optional } from '../scalars.ts';
import { ApiKeyId, Scope } from './apiKeyParts.ts';

export const createApiKey = operation({
  name: 'createApiKey',
  summary: 'Makes an API key; the key itself is shown this once.',
  description: 'At most 10 keys per user. A key cannot have a scope that the calling credential lacks.',
  method: 'POST',
  path: '/api-keys',
  tag: 'Auth',
  input: z.object({
    name: z.string().trim().min(1).max(64),
    scopes: optional(z.array(Scope).min(1).max(3)).meta({ description: 'By default those of the calling credential.' }),
    expiresAt: optional(z.iso.datetime({ error: 'must be an ISO 8601 time in UTC, ending in Z' })).meta({
      description: 'By default never.',
    }),
  }),
  output: z.strictObject({
    id: ApiKeyId,
    key: z.string(),
    prefix: z.string(),
    scopes: z.array(Scope),
    createdAt: IsoTime,
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'TOO_MANY_KEYS'],
  access: 'caller',
  scope: 'execute',
  limit: 'write',
  secretAnswer: true,
  errorShape: 'A',
  example: { name: 'trading bot', scopes: ['read', 'prepare'] },
});
