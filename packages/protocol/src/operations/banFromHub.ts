import { z } from 'zod';
import { IsoTime, optional, TokenRef, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const banFromHub = operation({
  name: 'banFromHub',
  summary: 'Bans a user from a hub, which ends their membership.',
  description:
    'For the owner, and for moderators, who cannot ban one another. Users who never joined can be banned too. A later ban replaces ' +
    'the one before.',
  method: 'POST',
  path: '/ban-from-hub',
  tag: 'People',
  input: z.strictObject({
    token_id: TokenRef,
    user_id: Uuid.meta({ description: 'Id of the user.' }),
    until: optional(IsoTime).meta({ description: 'When it ends; absent: for good.' }),
    delete_posts: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether what the user posted in this hub is deleted too.' }),
  }),
  output: z.object({
    success: z.literal(true),
    banned: z.literal(true).meta({ description: 'Whether the user is banned now.' }),
  }),
  errors: ['TOKEN_NOT_FOUND', 'NOT_THE_HUB_OWNER', 'USER_NOT_FOUND'],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'votes',
  errorShape: 'A',
  example: { token_id: 'paper-boat', user_id: '4f9d2c1e-8b7a-4c5d-9e3f-2a1b0c9d8e7f', until: '2031-01-01T00:00:00Z' },
});
