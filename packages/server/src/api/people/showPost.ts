import { formatUnits, MintageError, tokenDecimals } from '@mintage/protocol';
import type { Post } from '@mintage/protocol/operations';
import { tokenCards } from '../reads/tokenCards.ts';
import type { Reading } from '../tokens/reading.ts';
import { userCards } from './cards.ts';

/**
 * A post that everybody sees, as answers show it.
 *
 * @throws POST_NOT_FOUND
 */
export const showPost = async (context: Pick<Reading, 'db' | 'config'>, postId: string): Promise<Post> => {
  const { db } = context;
  const post = await db
    .selectFrom('post')
    .leftJoin('tally', (join) =>
      join.onRef('tally.target_id', '=', 'post.post_id').on('tally.target_type', '=', 'post'),
    )
    .selectAll('post')
    .select(['upvotes', 'downvotes', 'up_weight', 'down_weight'])
    .where('post.post_id', '=', postId)
    .where('hidden_because', 'is', null)
    .executeTakeFirst();
  if (post === undefined) throw noPost();
  const { author_id, token_id } = post;
  const [authors, coins] = await Promise.all([
    userCards(db, author_id === null ? [] : [author_id]),
    tokenCards(context, token_id === null ? [] : [token_id]),
  ]);
  return {
    id: post.post_id,
    type: post.type,
    author: authors.get(author_id ?? '') ?? null,
    text: post.text,
    media: post.media,
    entities: post.entities,
    tagged_coin: coins.get(token_id ?? '') ?? null,
    parent_id: post.parent_id,
    root_id: post.root_id,
    hub_id: token_id,
    created_at: post.created_at.toISOString(),
    deleted_at: post.deleted_at?.toISOString() ?? null,
    comments_count: post.comments_count,
    votes: {
      upvotes: post.upvotes ?? 0,
      downvotes: post.downvotes ?? 0,
      weighted_upvotes: whole(post.up_weight),
      weighted_downvotes: whole(post.down_weight),
      user_vote: null,
    },
    author_holds: post.author_holds === null ? null : whole(post.author_holds),
    pinned: post.pinned,
  };
};

const whole = (baseUnits: bigint | null): string => formatUnits(baseUnits ?? 0n, tokenDecimals);

export const noPost = (): MintageError => new MintageError('POST_NOT_FOUND', 'There is no such post.');
