import { z } from 'zod';
import { IsoTime } from '../scalars.ts';

export const Scope = z
  .enum(['read', 'prepare', 'execute'])
  .meta({ id: 'Scope', description: 'read: account reads; prepare: transactions to sign; execute: writes.' });

export const ApiKeyId = z.string().regex(/^[0-9A-Za-z]{10}$/, 'must be the id of an API key: 10 letters and digits');

export const ApiKey = z.strictObject({
  id: ApiKeyId,
  name: z.string(),
  prefix: z.string().meta({ description: 'How the key starts, up to and with its id.' }),
  scopes: z.array(Scope),
  createdAt: IsoTime,
  expiresAt: IsoTime.nullable(),
  lastUsedAt: IsoTime.nullable().meta({ description: 'Within a minute.' }),
});
