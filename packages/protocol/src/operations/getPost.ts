import { z } from 'zod';
import { Post } from '../schemas/posts.ts';
import { Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const getPost = operation({
  name: 'getPost',
  summary: 'Returns a post or comment, and the oldest comments on it.',
  method: 'POST',
  path: '/get-post',
  tag: 'People',
  input: z.object({
    post_id: Uuid.meta({ description: 'Id of the post or comment.' }),
    comments: z
      .int('must be a whole number')
      .min(0, 'must be at least 0')
      .max(50, 'must be at most 50')
      .default(0)
      .meta({ description: 'How many comments come along, 0 to 50; `/get-posts` has the others.' }),
  }),
  output: z.object({
    success: z.literal(true),
    post: Post,
    comments: z.array(Post).meta({ description: 'Right below it, oldest first.' }),
  }),
  errors: ['POST_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
});
