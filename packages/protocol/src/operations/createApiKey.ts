import { z } from 'zod';
import { ApiKeyId, Budget, BudgetInput, Scope } from '../schemas/apiKeyParts.ts';
import { IsoTime, optional } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const createApiKey = operation({
  name: 'createApiKey',
  summary: 'Makes an API key; the key itself is shown this once.',
  description: [
    'At most 10 keys per user. Keys are made and revoked by a signed-in user only: a key makes no keys.',
    '',
    'With a `budget` the key is limited in what it can have executed by the embedded wallet: trades, creations, claims and',
    'transfers within the caps, to your own wallets and the recipients that you list, with contracts of this service and',
    'those that you list. Buys count by what they may spend, sells and transfers by the value of what they give. The signer',
    'judges the bytes and reserves the amount before it signs, so that requests at once stay within the caps together. No',
    'key gets an approval without an end signed. A budget cannot be changed: make another key.',
  ].join('\n'),
  method: 'POST',
  path: '/api-keys',
  tag: 'Auth',
  input: z.strictObject({
    name: z.string().trim().min(1).max(64),
    scopes: optional(z.array(Scope).min(1).max(3)).meta({ description: 'By default all.' }),
    expiresAt: optional(z.iso.datetime({ error: 'must be an ISO 8601 time in UTC, ending in Z' })).meta({
      description: 'By default never.',
    }),
    budget: optional(BudgetInput).meta({ description: 'Absent: all that the embedded wallet holds.' }),
  }),
  output: z.strictObject({
    id: ApiKeyId,
    key: z.string(),
    prefix: z.string(),
    scopes: z.array(Scope),
    createdAt: IsoTime,
    expiresAt: IsoTime.nullable().meta({ description: 'Null: never.' }),
    budget: Budget.nullable().meta({ description: 'Null: may spend all that the embedded wallet holds.' }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'TOO_MANY_KEYS'],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  secretAnswer: true,
  errorShape: 'A',
  example: { name: 'trading bot', scopes: ['read', 'prepare', 'execute'], budget: { perTradeUsd: 25, perDayUsd: 100 } },
});
