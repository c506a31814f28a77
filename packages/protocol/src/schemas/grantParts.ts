import { z } from 'zod';
import { Budget, Scope } from './apiKeyParts.ts';
import { IsoTime } from './scalars.ts';

export const GrantId = z.string().regex(/^[0-9A-Za-z_-]{20,64}$/, 'must be the id of a grant: /grants/list');

export const Grant = z.strictObject({
  id: GrantId,
  clientId: z.string(),
  clientName: z.string().meta({ description: 'As the application calls itself: nobody checked it.' }),
  redirectHost: z.string().meta({ description: 'Where its codes were sent: a host, or the scheme of an application.' }),
  scopes: z.array(Scope),
  budget: Budget,
  createdAt: IsoTime,
  expiresAt: IsoTime,
  lastUsedAt: IsoTime.nullable().meta({ description: 'Within a minute.' }),
});
