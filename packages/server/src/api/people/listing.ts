import type { PostedMedia } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { happened, type PostHappening } from '../../db/happenings.ts';
import type { PostTable, Tx } from '../../db/serviceTables.ts';
import { lockUser } from '../accounts/users.ts';

/** What is counted of a post, and locked for it. */
export interface PlacedPost
  extends Pick<PostTable, 'post_id' | 'type' | 'author_id' | 'token_id' | 'parent_id' | 'root_id' | 'created_at'> {
  media: readonly PostedMedia[];
  hashtags: readonly string[];
}

export const urlsOf = (media: readonly PostedMedia[]): string[] => media.map(({ url }) => url);

/**
 * Makes others wait who change what is counted of a post: its author, its hub, and its thread, in this order.
 *
 * @param post - The thread's top is `root_id`, or the post itself.
 * @param token - Its hub is made where there is none yet.
 */
export const lockPlaces = async (
  tx: Tx,
  post: Pick<PlacedPost, 'author_id' | 'token_id' | 'root_id'>,
  token: OpeningToken | null,
): Promise<void> => {
  if (post.author_id !== null) await lockUser(tx, post.author_id);
  if (token !== null)
    await tx
      .insertInto('hub')
      .values({ token_id: token.token_id, created_at: token.created_at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  if (post.token_id !== null)
    await tx.selectFrom('hub').select('token_id').where('token_id', '=', post.token_id).forNoKeyUpdate().execute();
  if (post.root_id !== null)
    await tx.selectFrom('post').select('post_id').where('post_id', '=', post.root_id).forNoKeyUpdate().execute();
};

export interface OpeningToken {
  token_id: string;
  created_at: Date;
}

/** Counts a post, and has lists show it, which is told. Under `lockPlaces`. */
export const listPost = async (tx: Tx, post: PlacedPost, at: Date): Promise<void> => {
  await tell(tx, post, 'created', at);
  await count(tx, post, 1);
  const { post_id, created_at, hashtags, parent_id } = post;
  await tx
    .insertInto('tally')
    .values({ target_type: 'post', target_id: post_id, made_at: created_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if (parent_id !== null || hashtags.length === 0) return;
  await tx
    .insertInto('post_hashtag')
    .values(hashtags.map((hashtag) => ({ hashtag, created_at, post_id })))
    .execute();
};

/** Takes back what `listPost` did. Under `lockPlaces`. */
export const unlistPost = async (tx: Tx, post: PlacedPost, change: 'deleted' | 'hidden', at: Date): Promise<void> => {
  await tell(tx, post, change, at);
  await count(tx, post, -1);
  await tx.deleteFrom('tally').where('target_type', '=', 'post').where('target_id', '=', post.post_id).execute();
  await tx.deleteFrom('post_hashtag').where('post_id', '=', post.post_id).execute();
};

const tell = (tx: Tx, post: PlacedPost, change: PostHappening['change'], at: Date): Promise<void> => {
  const { post_id, type, author_id, token_id, parent_id, root_id, hashtags } = post;
  const ids = { post_id, type, author_id, token_id, parent_id, root_id, hashtags };
  return happened(tx, [{ kind: 'post', change, ...ids, created_at: post.created_at.toISOString() }], at);
};

const count = async (tx: Tx, post: PlacedPost, by: 1 | -1): Promise<void> => {
  if (post.type === 'post' && post.author_id !== null)
    await tx
      .updateTable('app_user')
      .set((row) => ({ posts_count: row('posts_count', '+', by) }))
      .where('user_id', '=', post.author_id)
      .execute();
  if (post.token_id !== null)
    await tx
      .updateTable('hub')
      .set((row) => ({
        posts_count: row('posts_count', '+', by),
        media_count: row('media_count', '+', by * post.media.length),
        last_post_at: sql<Date>`greatest(last_post_at, ${post.created_at})`,
      }))
      .where('token_id', '=', post.token_id)
      .execute();
  if (post.parent_id !== null)
    await tx
      .updateTable('post')
      .set((row) => ({ comments_count: row('comments_count', '+', by) }))
      .where('post_id', '=', post.parent_id)
      .execute();
};
