import { z } from 'zod';
import { HubMember } from '../schemas/hubs.ts';
import { TokenRef, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const setHubRole = operation({
  name: 'setHubRole',
  summary: 'Makes a member of a hub its moderator, or a moderator a member again.',
  description: 'For the owner.',
  method: 'POST',
  path: '/set-hub-role',
  tag: 'People',
  input: z.strictObject({
    token_id: TokenRef,
    user_id: Uuid.meta({ description: 'Who joined the hub.' }),
    role: z.enum(['moderator', 'member']).meta({ description: 'The role from now on.' }),
  }),
  output: z.object({ success: z.literal(true), member: HubMember }),
  errors: ['TOKEN_NOT_FOUND', 'NOT_THE_HUB_OWNER', 'USER_NOT_FOUND'],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'votes',
  errorShape: 'A',
  example: { token_id: 'paper-boat', user_id: '4f9d2c1e-8b7a-4c5d-9e3f-2a1b0c9d8e7f', role: 'moderator' },
});
