import { sql } from 'kysely';
import type { Tx } from '../../db/serviceTables.ts';
import { oneOf } from '../reads/oneOf.ts';

/**
 * Deletes what a user posted and commented in a hub, and corrects every count of it. What others commented on stays as an empty
 * row. The user's row and the hub's are locked already, in this order. What is hidden is counted nowhere.
 */
export const deletePostsOf = async (
  tx: Tx,
  { now }: { now(): number },
  tokenId: string,
  userId: string,
): Promise<void> => {
  const posts = await tx
    .selectFrom('post')
    .select(['post_id', 'parent_id', 'media', 'hidden_because'])
    .where('token_id', '=', tokenId)
    .where('author_id', '=', userId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('post_id')
    .forUpdate()
    .execute();
  if (posts.length === 0) return;
  const ids = posts.map(({ post_id }) => post_id);
  const nothing = { text: '', media: '[]', entities: '[]', hashtags: [], pinned: false };
  await tx
    .updateTable('post')
    .set({ ...nothing, deleted_at: new Date(now()) })
    .where(oneOf('post_id', ids))
    .execute();
  await tx.deleteFrom('tally').where('target_type', '=', 'post').where(oneOf('target_id', ids)).execute();

  const shown = posts.filter(({ hidden_because }) => hidden_because === null);
  const parents = shown.flatMap(({ parent_id }) => (parent_id === null ? [] : [parent_id]));
  await sql`
    update post set comments_count = comments_count - fewer.count
    from (select parent_id, count(*) from unnest(${parents}::uuid[]) as parent_id group by 1) fewer
    where post_id = fewer.parent_id`.execute(tx);
  await tx
    .updateTable('app_user')
    .set((user) => ({ posts_count: user('posts_count', '-', shown.length - parents.length) }))
    .where('user_id', '=', userId)
    .execute();
  await tx
    .updateTable('hub')
    .set((hub) => ({
      posts_count: hub('posts_count', '-', shown.length),
      media_count: hub(
        'media_count',
        '-',
        shown.reduce((sum, { media }) => sum + media.length, 0),
      ),
    }))
    .where('token_id', '=', tokenId)
    .execute();
  await removeEmpty(tx, ids);
};

/** Removes those of these posts that are deleted and have no comments, and then what they leave without comments. */
const removeEmpty = async (tx: Tx, postIds: readonly string[]): Promise<void> => {
  if (postIds.length === 0) return;
  const { rows } = await sql<{ parent_id: string | null }>`
    delete from post where ${oneOf('post_id', postIds)} and deleted_at is not null
      and not exists (select from post comment where comment.parent_id = post.post_id)
    returning parent_id`.execute(tx);
  await removeEmpty(
    tx,
    rows.flatMap(({ parent_id }) => parent_id ?? []),
  );
};
