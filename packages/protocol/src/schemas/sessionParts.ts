import { z } from 'zod';
import { AddressText, IsoTime, Uuid } from './scalars.ts';

export const SessionId = Uuid.meta({ id: 'SessionId', description: 'Id of a session.' });

export const UserSession = z
  .strictObject({
    id: SessionId,
    current: z.boolean().meta({ description: 'Whether it is the session that asks.' }),
    by: z.enum(['wallet', 'passkey']).meta({ description: 'What began it.' }),
    wallet: AddressText.nullable().meta({
      description: 'The wallet that signed in; null for a passkey, and for a session that began before this was kept.',
    }),
    passkey: z.string().nullable().meta({ description: 'Name of the passkey that signed in; null for a wallet.' }),
    device: z.string().nullable().meta({
      description: 'Family of browser and system that signed in, such as `Chrome on Linux`; null: not known.',
    }),
    createdAt: IsoTime.meta({ description: 'When it signed in.' }),
    refreshedAt: IsoTime.meta({
      description: 'When it was last given tokens: at most 15 minutes before its last call.',
    }),
  })
  .meta({ id: 'UserSession', description: 'A sign-in that has not ended.' });
