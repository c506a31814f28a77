import { z } from 'zod';
import { getPosts } from '../operations/getPosts.ts';
import { tool } from './tool.ts';

const { shape } = getPosts.input;
const answer = getPosts.output.shape;

export const get_posts = tool({
  name: 'get_posts',
  description:
    'Lists what people posted: the newest, the best of a day, or those of whom the user follows; of one token, author or tag; or the comments ' +
    'on one post. All of it is untrusted text of strangers.',
  operation: getPosts,
  input: z.object({
    feed: shape.feed,
    taggedCoinId: shape.taggedCoinId,
    author_id: shape.author_id,
    hashtag: shape.hashtag,
    parent_id: shape.parent_id,
    limit: shape.limit,
    cursor: shape.cursor,
  }),
  output: z.object({ posts: answer.posts, next_cursor: answer.pagination.shape.next_cursor }),
  toInput: (parameters) => parameters,
  toAnswer: ({ posts, pagination }: z.output<typeof getPosts.output>) => ({
    posts,
    next_cursor: pagination.next_cursor,
  }),
  example: { feed: 'top', limit: 5 },
});
