import { z } from 'zod';
import { IsoTime, optional, TokenRef } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const createHubInvite = operation({
  name: 'createHubInvite',
  summary: 'Makes an invite to a hub, which is shown once.',
  description:
    'For the owner and moderators. It ends with the role of who made it. A hub has at most 100 invites that can still be used.',
  method: 'POST',
  path: '/create-hub-invite',
  tag: 'People',
  input: z.strictObject({
    token_id: TokenRef,
    uses: z
      .number()
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(1000, 'must be at most 1000')
      .default(1)
      .meta({ description: 'How many may join with it; absent means 1.' }),
    expires_at: optional(IsoTime).meta({ description: 'Until when; absent: until it is used up.' }),
  }),
  output: z.object({
    success: z.literal(true),
    invite: z.string().meta({ description: '`invite` of `/join-hub`: a secret.' }),
    url: z.string().meta({ description: 'Page of the token, with the invite.' }),
  }),
  errors: ['TOKEN_NOT_FOUND', 'NOT_THE_HUB_OWNER'],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'profile',
  secretAnswer: true,
  errorShape: 'A',
  example: { token_id: 'paper-boat', uses: 10 },
});
