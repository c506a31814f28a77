import { z } from 'zod';
import { Budget, Scope } from './apiKeyParts.ts';
import { IsoTime } from './scalars.ts';

export const GrantId = z.string().regex(/^[0-9A-Za-z_-]{20,64}$/, 'must be the id of a grant: /grants/list');

export const Grant = z.strictObject({
  id: GrantId.meta({ description: 'Id of the grant.' }),
  clientId: z.string().meta({ description: 'Id that the application registered with.' }),
  clientName: z.string().meta({ description: 'Name that the application gave itself; not verified.' }),
  redirectHost: z
    .string()
    .meta({ description: 'Host, or scheme of an app, that its authorization codes were sent to.' }),
  scopes: z.array(Scope).meta({ description: 'What the application may do.' }),
  budget: Budget.meta({ description: 'What it may spend.' }),
  createdAt: IsoTime.meta({ description: 'When you allowed it.' }),
  expiresAt: IsoTime.meta({ description: 'When it ends.' }),
  lastUsedAt: IsoTime.nullable().meta({ description: 'Accurate to a minute; null: never used.' }),
});
