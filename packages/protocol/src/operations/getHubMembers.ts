import { z } from 'zod';
import { HubMember, HubRole } from '../schemas/hubs.ts';
import { Cursor, CursorPage, limitUpTo } from '../schemas/paging.ts';
import { optional, TokenRef } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const getHubMembers = operation({
  name: 'getHubMembers',
  summary: 'Lists who is in a hub: the owner, then whoever joined, newest first.',
  method: 'POST',
  path: '/get-hub-members',
  tag: 'People',
  input: z.object({
    token_id: TokenRef,
    role: optional(HubRole).meta({ description: 'Only these; absent: all.' }),
    limit: limitUpTo(100, 20),
    cursor: optional(Cursor),
  }),
  output: z.object({ success: z.literal(true), members: z.array(HubMember), pagination: CursorPage }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { token_id: 'paper-boat', limit: 10 },
});
