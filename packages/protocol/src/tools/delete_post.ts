import { z } from 'zod';
import { deletePost } from '../operations/deletePost.ts';
import { tool } from './tool.ts';

export const delete_post = tool({
  name: 'delete_post',
  description: 'Deletes a post or comment of the user, or in a hub that the user moderates. It cannot be undone.',
  operation: deletePost,
  input: z.object(deletePost.input.shape),
  output: z.object({ success: deletePost.output.shape.success }),
  toInput: (parameters) => parameters,
  toAnswer: ({ success }: z.output<typeof deletePost.output>) => ({ success }),
});
