import { z } from 'zod';
import { NamedUser } from '../schemas/people.ts';
import { operation } from './operation.ts';

export const followUser = operation({
  name: 'followUser',
  summary: 'Follows a user.',
  description: 'Following again changes nothing. At most 5,000 users.',
  method: 'POST',
  path: '/follow-user',
  tag: 'People',
  input: NamedUser,
  output: z.object({
    success: z.literal(true),
    following: z.boolean().meta({ description: 'Whether the caller follows the user now.' }),
    followers_count: z.int().nonnegative().meta({ description: 'Users who follow the user now.' }),
  }),
  errors: ['USER_NOT_FOUND', 'CANNOT_TARGET_SELF', 'BLOCKED', 'TOO_MANY_FOLLOWS'],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'votes',
  errorShape: 'A',
  example: { user_id: '056d006a-2c1e-4f7b-9d3a-8e5f60718293' },
});
