import { z } from 'zod';
import { Hub } from '../schemas/hubs.ts';
import { TokenRef } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const leaveHub = operation({
  name: 'leaveHub',
  summary: 'Ends the caller’s membership of a hub, and with it the role.',
  description: 'Whoever is no member stays none. The owner cannot leave.',
  method: 'POST',
  path: '/leave-hub',
  tag: 'People',
  input: z.strictObject({ token_id: TokenRef }),
  output: z.object({ success: z.literal(true), hub: Hub }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'votes',
  errorShape: 'A',
  example: { token_id: 'paper-boat' },
});
