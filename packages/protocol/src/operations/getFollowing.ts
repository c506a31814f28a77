import { z } from 'zod';
import { Cursor, CursorPage, limitUpTo } from '../schemas/paging.ts';
import { UserCard } from '../schemas/people.ts';
import { optional, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const getFollowing = operation({
  name: 'getFollowing',
  summary: 'Lists whom a user follows, the newest first.',
  method: 'POST',
  path: '/get-following',
  tag: 'People',
  input: z.object({
    user_id: optional(Uuid).meta({ description: 'Id of the user; absent: the caller.' }),
    limit: limitUpTo(100, 20),
    cursor: optional(Cursor),
  }),
  output: z.object({ success: z.literal(true), users: z.array(UserCard), pagination: CursorPage }),
  errors: ['USER_NOT_FOUND', 'AUTHENTICATION_FAILED'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { user_id: '056d006a-2c1e-4f7b-9d3a-8e5f60718293' },
});
