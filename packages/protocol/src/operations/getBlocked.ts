import { z } from 'zod';
import { Cursor, CursorPage, limitUpTo } from '../schemas/paging.ts';
import { UserCard } from '../schemas/people.ts';
import { optional } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const getBlocked = operation({
  name: 'getBlocked',
  summary: 'Lists whom the caller blocks, the newest first.',
  method: 'POST',
  path: '/get-blocked',
  tag: 'People',
  input: z.object({ limit: limitUpTo(100, 20), cursor: optional(Cursor) }),
  output: z.object({ success: z.literal(true), users: z.array(UserCard), pagination: CursorPage }),
  errors: [],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
  example: { limit: 20 },
});
