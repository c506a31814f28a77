import { z } from 'zod';
import { limitUpTo, offsetUpTo, Page } from '../schemas/paging.ts';
import { PlatformId } from '../schemas/platformId.ts';
import { IsoTime, optional, Uuid } from '../schemas/scalars.ts';
import { Hashtag } from './getTokensV2.ts';
import { operation } from './operation.ts';

const text = z.string().nullable();
const count = z.int().nonnegative();

export const getTokens = operation({
  name: 'getTokens',
  summary: 'Lists tokens in one of four orders. Older form of `/get-tokens-v2`.',
  description:
    '`trending` orders by volume of the last hour, `new` by creation, `popular` by holders, `top_posts` by posts. ' +
    'Posts and votes are not offered: their counters are 0, so `top_posts` orders by creation.',
  method: 'POST',
  path: '/get-tokens',
  tag: 'Tokens',
  input: z.object({
    filter: z
      .enum(['trending', 'new', 'popular', 'top_posts'], {
        error: 'must be trending, new, popular or top_posts',
      })
      .meta({ description: 'The order.' }),
    hashtag_name: optional(Hashtag).meta({ description: 'Only tokens with this tag.' }),
    limit: limitUpTo(100, 20),
    offset: offsetUpTo(10_000),
    verified_only: z.boolean().default(false).meta({ description: 'As in `/get-tokens-v2`.' }),
  }),
  output: z.object({
    success: z.literal(true),
    tokens: z.array(
      z.looseObject({
        id: Uuid,
        name: z.string(),
        symbol: z.string(),
        slug: z.string(),
        logo: text,
        banner_url: text,
        video_url: text,
        description: text,
        platform_id: PlatformId.nullable(),
        contract_address: z.string(),
        created_at: IsoTime,
        launch_post_id: Uuid.nullable(),
        total_posts_count: count,
        total_media_count: count,
        groups_count: count,
        holders_count: count,
        upvotes: count,
        downvotes: count,
        weighted_upvotes: count,
        weighted_downvotes: count,
        user_vote: z.enum(['upvote', 'downvote']).nullable(),
        is_live: z.boolean(),
        hashtags: z.array(z.string()),
        creator: z.object({
          id: Uuid.nullable().meta({ description: 'Null for a wallet that never signed in here.' }),
          username: text,
          profile_picture: text,
          address: z.string().meta({ description: 'The wallet that created the token.' }),
        }),
      }),
    ),
    pagination: Page.extend({
      total: count.meta({ description: 'All that match, on every page.' }),
    }),
  }),
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { filter: 'trending', limit: 20 },
});
