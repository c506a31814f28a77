import { definitions } from '@mintage/protocol/operations';
import { readerIdOf } from '../people/asked.ts';
import { cardsOfWallets } from '../people/cards.ts';
import { tokenTalk } from '../people/tokenTalk.ts';
import { countTokens, listTokens, showTokens, type TokenOrder } from '../reads/listTokens.ts';
import { tokenFace } from '../reads/tokenRecord.ts';
import { handler } from './handler.ts';

/** Orders that existing clients send, mapped to ours. */
const orderOf: Record<string, TokenOrder> = {
  trending: 'volume_1h',
  new: 'created_at',
  popular: 'holders',
  top_posts: 'posts',
};

export const getTokens = handler(definitions.getTokens, async (context, input, { caller }) => {
  const { filter, hashtag_name: tag, verified_only: verifiedOnly, limit, offset } = input;
  const hashtags = tag === undefined ? [] : [tag.replace(/^#/, '')];
  const order = orderOf[filter] as TokenOrder;
  const [{ listed, hasMore }, total] = await Promise.all([
    listTokens(context, { hashtags, verifiedOnly }, { order, ascending: false }, { limit, offset }),
    countTokens(context, { hashtags, verifiedOnly }),
  ]);
  const tokens = await showTokens(context.db, listed);
  const [creators, talkOf] = await Promise.all([
    cardsOfWallets(
      context.db,
      tokens.map((token) => token.creator),
    ),
    tokenTalk(
      context.db,
      tokens.map((token) => token.token_id),
      readerIdOf(caller),
    ),
  ]);
  return {
    success: true,
    tokens: tokens.map((token) => ({
      ...tokenFace(context, token),
      contract_address: token.address,
      ...talkOf(token.token_id),
      groups_count: 0,
      is_live: false,
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
