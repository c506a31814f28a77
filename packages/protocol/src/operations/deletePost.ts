import { z } from 'zod';
import { PostId } from '../schemas/moderation.ts';
import { operation } from './operation.ts';

export const deletePost = operation({
  name: 'deletePost',
  summary: 'Deletes a post or comment of the caller, or in a hub that the caller moderates.',
  description:
    'Its text and media are gone at once. While there are comments on it, it stays as an empty place above them. One that is not there counts as deleted.',
  method: 'POST',
  path: '/delete-post',
  tag: 'People',
  input: z.strictObject({ post_id: PostId }),
  output: z.object({ success: z.literal(true), deleted: z.literal(true) }),
  errors: ['NOT_THE_AUTHOR'],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'posts',
  errorShape: 'A',
});
