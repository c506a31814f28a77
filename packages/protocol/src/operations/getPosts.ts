import { z } from 'zod';
import { Cursor, CursorPage, limitUpTo } from '../schemas/paging.ts';
import { Post } from '../schemas/posts.ts';
import { optional, TokenRef, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const feeds = ['latest', 'top', 'following'] as const;
export const topWindows = ['1h', '24h', '7d', 'all'] as const;

const words = <Word extends string>(list: readonly Word[]) =>
  z.enum(list, { error: `must be one of ${list.join(', ')}` });

const Time = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time such as 2030-01-01T00:00:00Z' });

export const getPosts = operation({
  name: 'getPosts',
  summary: 'Lists posts: the newest, the best, or those of whom the caller follows; or the comments on one post.',
  description:
    'All filters have to fit. `top` orders by the votes’ weight in USD, then by votes, then by time; a new vote counts within a second. Posts are listed without comments; with ' +
    '`parent_id`, which goes with `latest`, the comments on one post are, oldest first.',
  method: 'POST',
  path: '/get-posts',
  tag: 'People',
  input: z.object({
    feed: words(feeds).default('latest').meta({ description: 'Absent: `latest`. `following` needs a credential.' }),
    taggedCoinId: optional(TokenRef).meta({ description: 'Only posts that speak of this token.' }),
    tagged_coin_id: optional(TokenRef).meta({ description: 'The same as `taggedCoinId`.' }),
    author_id: optional(Uuid).meta({ description: 'Only posts of this user.' }),
    hashtag: optional(z.string().trim().min(1).max(64)).meta({
      description: 'Only posts with this tag, with or without `#`; case does not matter.',
    }),
    parent_id: optional(Uuid).meta({ description: 'The comments right below this post.' }),
    with_media: z.boolean().default(false).meta({ description: 'Only posts with pictures or a film.' }),
    since: optional(Time).meta({
      description: 'Only what was posted at this time or later; with the feed top within the last 31 days.',
    }),
    window: words(topWindows).default('24h').meta({ description: 'Of `top`: how old posts may be; absent means 24h.' }),
    limit: limitUpTo(100, 20),
    cursor: optional(Cursor),
  }),
  output: z.object({ success: z.literal(true), posts: z.array(Post), pagination: CursorPage }),
  errors: ['TOKEN_NOT_FOUND', 'POST_NOT_FOUND', 'AUTHENTICATION_FAILED'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { feed: 'latest', limit: 20 },
});
