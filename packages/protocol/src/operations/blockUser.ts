import { z } from 'zod';
import { NamedUser } from '../schemas/people.ts';
import { operation } from './operation.ts';

export const blockUser = operation({
  name: 'blockUser',
  summary: 'Blocks a user.',
  description:
    'Neither follows the other from then on, nor may reply to or mention the other, and signed in neither sees what the other posts. ' +
    'The user is not told. At most 5,000 users.',
  method: 'POST',
  path: '/block-user',
  tag: 'People',
  input: NamedUser,
  output: z.object({
    success: z.literal(true),
    blocked: z.boolean().meta({ description: 'Whether the caller blocks the user now.' }),
  }),
  errors: ['USER_NOT_FOUND', 'CANNOT_TARGET_SELF', 'TOO_MANY_FOLLOWS'],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'votes',
  errorShape: 'A',
  example: { user_id: '056d006a-2c1e-4f7b-9d3a-8e5f60718293' },
});
