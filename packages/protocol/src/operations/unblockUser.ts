import { z } from 'zod';
import { NamedUser } from '../schemas/people.ts';
import { operation } from './operation.ts';

export const unblockUser = operation({
  name: 'unblockUser',
  summary: 'Blocks a user no longer.',
  description: 'Follows that the block ended do not come back.',
  method: 'POST',
  path: '/unblock-user',
  tag: 'People',
  input: NamedUser,
  output: z.object({
    success: z.literal(true),
    blocked: z.boolean().meta({ description: 'Whether the caller blocks the user now.' }),
  }),
  errors: ['USER_NOT_FOUND', 'CANNOT_TARGET_SELF'],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'votes',
  errorShape: 'A',
  example: { user_id: '056d006a-2c1e-4f7b-9d3a-8e5f60718293' },
});
