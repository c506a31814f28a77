import { z } from 'zod';
import { ApiKeyId, Budget, BudgetInput, Scope } from '../schemas/apiKeyParts.ts';
import { acknowledgeRecipientOption } from '../schemas/executionParts.ts';
import { IsoTime, optional } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const createApiKey = operation({
  name: 'createApiKey',
  summary: 'Creates an API key. The key itself is returned only here.',
  description: [
    'At most 10 keys per user. Only a signed-in user can create and revoke keys; an API key cannot create keys.',
    '',
    'A `budget` limits what the embedded wallet signs for the key: trades, creations, claims and transfers within the',
    'caps, to your own wallets and the listed recipients, with contracts of this service and the listed ones. A buy counts',
    'by the most it may spend, a sell or transfer by the value of what it gives. The signer reads the amounts from the',
    'transaction itself and reserves them before it signs, so that concurrent requests stay within the caps together. An',
    'unlimited approval is never signed for a key. A budget cannot be changed: create another key.',
    '',
    'A key with `execute` or `moderate` needs a sign-in of the last 5 minutes. On its first day (`NEW_ACCESS_DELAY_HOURS`) it spends at',
    'most `NEW_KEY_USD_PER_DAY`, to your own wallets alone; where a sign-in at another issuer made it, it executes nothing before.',
  ].join('\n'),
  method: 'POST',
  path: '/api-keys',
  tag: 'Auth',
  input: z.strictObject({
    name: z.string().trim().min(1).max(64).meta({ description: 'For yourself: at most 64 characters.' }),
    scopes: optional(z.array(Scope).min(1).max(5)).meta({
      description: 'Absent: all but `moderate`, which only operators can give.',
    }),
    expiresAt: optional(z.iso.datetime({ error: 'must be an ISO 8601 time in UTC, ending in Z' })).meta({
      description: 'ISO 8601, UTC. Absent: the key does not expire.',
    }),
    budget: optional(BudgetInput).meta({
      description: 'Limits of what the key may spend. Absent: everything that the embedded wallet holds.',
    }),
    ...acknowledgeRecipientOption,
  }),
  output: z.strictObject({
    id: ApiKeyId.meta({ description: 'Id of the key.' }),
    key: z.string().meta({ description: 'The key itself: bearer of `Authorization`.' }),
    prefix: z.string().meta({ description: 'First characters of the key, up to the end of its id.' }),
    scopes: z.array(Scope).meta({ description: 'What the key may do.' }),
    createdAt: IsoTime.meta({ description: 'When it was made.' }),
    expiresAt: IsoTime.nullable().meta({ description: 'Null: never.' }),
    actsFrom: IsoTime.nullable().meta({ description: 'From when it executes; null: at once.' }),
    budget: Budget.nullable().meta({ description: 'Null: may spend all that the embedded wallet holds.' }),
  }),
  errors: [
    'AUTHENTICATION_FAILED',
    'SCOPE_MISSING',
    'CONFIRMATION_NEEDED',
    'ACCESS_TOO_NEW',
    'NOT_AN_OPERATOR',
    'TOO_MANY_KEYS',
    'UNSAFE_RECIPIENT',
  ],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  secretAnswer: true,
  errorShape: 'A',
  example: { name: 'trading bot', scopes: ['read', 'prepare', 'execute'], budget: { perTradeUsd: 25, perDayUsd: 100 } },
});
