import { z } from 'zod';
import { TokenRef, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const unbanFromHub = operation({
  name: 'unbanFromHub',
  summary: 'Lifts a ban: the user may join the hub and post in it again.',
  description: 'For the owner and moderators. Lifting none is no error.',
  method: 'POST',
  path: '/unban-from-hub',
  tag: 'People',
  input: z.strictObject({ token_id: TokenRef, user_id: Uuid.meta({ description: 'Id of the user.' }) }),
  output: z.object({
    success: z.literal(true),
    banned: z.literal(false).meta({ description: 'Whether the user is banned now.' }),
  }),
  errors: ['TOKEN_NOT_FOUND', 'NOT_THE_HUB_OWNER'],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'votes',
  errorShape: 'A',
  example: { token_id: 'paper-boat', user_id: '4f9d2c1e-8b7a-4c5d-9e3f-2a1b0c9d8e7f' },
});
