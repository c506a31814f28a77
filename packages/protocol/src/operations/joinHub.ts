import { z } from 'zod';
import { Hub } from '../schemas/hubs.ts';
import { optional, TokenRef } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const joinHub = operation({
  name: 'joinHub',
  summary: 'Makes the caller a member of a hub.',
  description: 'Whoever is a member already stays one, and uses up no invite.',
  method: 'POST',
  path: '/join-hub',
  tag: 'People',
  input: z.strictObject({
    token_id: TokenRef,
    invite: optional(z.string().trim().max(100)).meta({ description: 'Where the hub takes invites only.' }),
  }),
  output: z.object({ success: z.literal(true), hub: Hub }),
  errors: ['TOKEN_NOT_FOUND', 'HUB_BANNED', 'HUB_INVITE_ONLY'],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'votes',
  errorShape: 'A',
  example: { token_id: 'paper-boat' },
});
