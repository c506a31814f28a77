import { MintageError } from '@mintage/protocol';
import type { Db, Tx } from '../../db/serviceTables.ts';
import { lockPlaces, unlistPost } from './listing.ts';
import { owns } from './mayPost.ts';

/**
 * Deletes a post, by its author or by who moderates its hub. One that is not there, or deleted, stays so.
 *
 * @throws NOT_THE_AUTHOR
 */
export const removePost = async (
  tx: Tx,
  { now }: { now(): number },
  { postId, userId }: { postId: string; userId: string },
): Promise<void> => {
  const post = await lockedPost(tx, postId);
  if (post === null) return;
  const isAuthor = post.author_id === userId;
  if (!isAuthor && !(await moderates(tx, post.token_id, userId)))
    throw new MintageError('NOT_THE_AUTHOR', 'Only its author and moderators of its hub may delete this post.');
  if (post.deleted_at !== null) return;
  if (!isAuthor)
    await tx
      .insertInto('moderation')
      .values({ at: new Date(now()), user_id: userId, action: 'delete_post', target: postId, reason: null })
      .execute();
  if (post.hidden_because === null) await unlistPost(tx, post);
  if (await hasComments(tx, postId)) {
    const empty = { text: '', media: '[]', entities: '[]', hashtags: [], pinned: false, hidden_because: null };
    await tx
      .updateTable('post')
      .set({ ...empty, deleted_at: new Date(now()) })
      .where('post_id', '=', postId)
      .execute();
    return;
  }
  await tx.deleteFrom('post').where('post_id', '=', postId).execute();
  await clearAbove(tx, post.parent_id);
};

/** A post under the locks of its places, and itself; null: there is none. */
export const lockedPost = async (tx: Tx, postId: string) => {
  const find = () =>
    tx
      .selectFrom('post')
      .select(['post_id', 'type', 'author_id', 'token_id', 'parent_id', 'root_id', 'created_at'])
      .select(['media', 'hashtags', 'deleted_at', 'hidden_because'])
      .where('post_id', '=', postId)
      .executeTakeFirst();
  const seen = await find();
  if (seen === undefined) return null;
  await lockPlaces(tx, { ...seen, root_id: seen.root_id ?? postId }, null);
  return (await find()) ?? null;
};

/** A post that is deleted stays only while there are comments on it. */
const clearAbove = async (tx: Tx, parentId: string | null): Promise<void> => {
  if (parentId === null || (await hasComments(tx, parentId))) return;
  const gone = await tx
    .deleteFrom('post')
    .where('post_id', '=', parentId)
    .where('deleted_at', 'is not', null)
    .returning('parent_id')
    .executeTakeFirst();
  if (gone !== undefined) await clearAbove(tx, gone.parent_id);
};

const hasComments = async (tx: Tx, postId: string): Promise<boolean> => {
  const comment = await tx
    .selectFrom('post')
    .select('post_id')
    .where('parent_id', '=', postId)
    .limit(1)
    .executeTakeFirst();
  return comment !== undefined;
};

/** Whether a user is the owner or a moderator of the hub of a token. */
export const moderates = async (db: Db, tokenId: string | null, userId: string): Promise<boolean> => {
  if (tokenId === null) return false;
  const moderator = await db
    .selectFrom('hub_member')
    .select('role')
    .where('token_id', '=', tokenId)
    .where('user_id', '=', userId)
    .where('role', '=', 'moderator')
    .executeTakeFirst();
  if (moderator !== undefined) return true;
  const token = await db.selectFrom('token').select('creator').where('token_id', '=', tokenId).executeTakeFirst();
  return token !== undefined && owns(db, token, userId);
};
