import { z } from 'zod';
import { Post } from '../schemas/posts.ts';
import { Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const pinPost = operation({
  name: 'pinPost',
  summary: 'Keeps a post on top of its hub, or no longer.',
  description: 'For the owner and moderators. A hub has one such post: another one takes its place.',
  method: 'POST',
  path: '/pin-post',
  tag: 'People',
  input: z.strictObject({
    post_id: Uuid.meta({ description: 'A post in a hub; no comment.' }),
    pinned: z.boolean().meta({ description: 'Whether it stays on top.' }),
  }),
  output: z.object({ success: z.literal(true), post: Post }),
  errors: ['POST_NOT_FOUND', 'NOT_THE_HUB_OWNER'],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'votes',
  errorShape: 'A',
  example: { post_id: '9b2f4c6d-1e3a-4b5c-8d7e-6f5a4b3c2d1e', pinned: true },
});
