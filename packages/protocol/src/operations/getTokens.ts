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
    '`trending` orders by volume of the last hour, `new` by creation, `popular` by holders, `top_posts` by posts in ' +
    'their hubs, comments too, then by creation.',
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
        id: Uuid.meta({ description: 'Id of the token.' }),
        name: z.string().meta({ description: 'Name of the token.' }),
        symbol: z.string().meta({ description: 'Ticker of the token.' }),
        slug: z.string().meta({ description: 'Name of the token in addresses of pages.' }),
        logo: text.meta({ description: 'Address of the picture.' }),
        banner_url: text.meta({ description: 'Address of the wide picture.' }),
        video_url: text.meta({ description: 'Address of the video.' }),
        description: text.meta({ description: 'As the creator gave it.' }),
        platform_id: PlatformId.nullable(),
        contract_address: z.string().meta({ description: 'Contract address.' }),
        created_at: IsoTime.meta({ description: 'When it was created.' }),
        launch_post_id: Uuid.nullable().meta({
          description: 'The post of its launch; null: it was created elsewhere, or the post is gone.',
        }),
        total_posts_count: count.meta({ description: 'Posts and comments in its hub.' }),
        total_media_count: count.meta({ description: 'Pictures and films in its hub.' }),
        groups_count: count.meta({ description: 'Always 0: groups are not offered.' }),
        holders_count: count.meta({ description: 'Wallets that hold some, on all chains.' }),
        upvotes: count.meta({ description: 'Users who voted for it.' }),
        downvotes: count.meta({ description: 'Users who voted against it.' }),
        weighted_upvotes: count.meta({ description: 'Whole tokens behind the votes for it, rounded down.' }),
        weighted_downvotes: count.meta({ description: 'Whole tokens behind the votes against it, rounded down.' }),
        user_vote: z
          .enum(['upvote', 'downvote'])
          .nullable()
          .meta({ description: 'The caller’s vote; null: none, or nobody is signed in.' }),
        is_live: z.boolean().meta({ description: 'Always false: live rooms are not offered.' }),
        hashtags: z.array(z.string()).meta({ description: 'Tags, as the creator gave them.' }),
        creator: z.object({
          id: Uuid.nullable().meta({ description: 'Null for a wallet that never signed in here.' }),
          username: text.meta({ description: 'Null: none is chosen.' }),
          profile_picture: text.meta({ description: 'Address of the picture; null: none is given.' }),
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
