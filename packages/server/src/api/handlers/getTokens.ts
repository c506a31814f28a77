import { definitions } from '@mintage/protocol/operations';
import { cardsOfWallets } from '../people/cards.ts';
import { countTokens, listTokens, showTokens, type TokenOrder } from '../reads/listTokens.ts';
import { tokenFace } from '../reads/tokenRecord.ts';
import { handler } from './handler.ts';

/**
 * Orders that existing clients send, mapped to ours. There are no posts, so orders by posts fall back to the creation
 * time.
 */
const orderOf: Record<string, TokenOrder> = {
  trending: 'volume_1h',
  new: 'created_at',
  popular: 'holders',
  top_posts: 'created_at',
};

export const getTokens = handler(definitions.getTokens, async (context, input) => {
  const { filter, hashtag_name: tag, verified_only: verifiedOnly, limit, offset } = input;
  const hashtags = tag === undefined ? [] : [tag.replace(/^#/, '')];
  const order = orderOf[filter] as TokenOrder;
  const [{ listed, hasMore }, total] = await Promise.all([
    listTokens(context, { hashtags, verifiedOnly }, { order, ascending: false }, { limit, offset }),
    countTokens(context, { hashtags, verifiedOnly }),
  ]);
  const tokens = await showTokens(context.db, listed);
  const creators = await cardsOfWallets(
    context.db,
    tokens.map((token) => token.creator),
  );
  return {
    success: true,
    tokens: tokens.map((token) => ({
      ...tokenFace(context, token),
      contract_address: token.address,
      ...social,
      holders_count: token.holders,
      hashtags: token.tags ?? [],
      creator: {
        id: creators.get(token.creator)?.id ?? null,
        username: creators.get(token.creator)?.username ?? null,
        profile_picture: creators.get(token.creator)?.profile_picture ?? null,
        address: token.creator,
      },
    })),
    pagination: { limit, offset, total_returned: tokens.length, has_more: hasMore, total },
  };
});

/** Posts, groups, votes and live rooms are not offered. */
const social = {
  launch_post_id: null,
  total_posts_count: 0,
  total_media_count: 0,
  groups_count: 0,
  upvotes: 0,
  downvotes: 0,
  weighted_upvotes: 0,
  weighted_downvotes: 0,
  user_vote: null,
  is_live: false,
};
