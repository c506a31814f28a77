import { z } from 'zod';
import { createPost } from '../operations/createPost.ts';
import { tool } from './tool.ts';

const { shape } = createPost.input;
const answer = createPost.output.shape;

export const create_post = tool({
  name: 'create_post',
  description:
    'Posts a text in the name of the user, or comments on a post. Everybody can read it at once. Show the user the text before you post it.',
  operation: createPost,
  input: z.object({
    text: shape.text,
    taggedCoinId: shape.taggedCoinId,
    parent_id: shape.parent_id,
    media: shape.media,
  }),
  output: z.object({
    success: answer.success,
    post_id: answer.post.shape.id,
    url: answer.url,
  }),
  toInput: (parameters) => parameters,
  toAnswer: ({ success, post, url }: z.output<typeof createPost.output>) => ({ success, post_id: post.id, url }),
  example: { text: 'gm $BOAT', taggedCoinId: 'paper-boat' },
});
