import { type Address, MintageError } from '@mintage/protocol';
import { happened } from '../../db/happenings.ts';
import type { Db, Tx } from '../../db/serviceTables.ts';
import { letGoOfFiles } from '../media/looseFiles.ts';
import { decision } from './decision.ts';
import { commands, standingOf } from './hubs.ts';
import { lockPlaces, unlistPost, urlsOf } from './listing.ts';

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
  if (!isAuthor && !(await moderates(tx, post.token_id, userId, now())))
    throw new MintageError('NOT_THE_AUTHOR', 'Only its author and moderators of its hub may delete this post.');
  if (post.deleted_at !== null) return;
  const at = new Date(now());
  if (!isAuthor) {
    await tx
      .insertInto('moderation')
      .values({ at, user_id: userId, action: 'delete_post', target: postId, reason: null })
      .execute();
    if (post.author_id !== null)
      await happened(tx, [decision(post.author_id, `deleted:${postId}`, { detail: 'deleted' })], at);
  }
  if (post.hidden_because === null) await unlistPost(tx, post, 'deleted', at);
  await letGoOfFiles(tx, urlsOf(post.media), now());
  await tx.deleteFrom('vote').where('target_type', '=', 'post').where('target_id', '=', postId).execute();
  if (await hasComments(tx, postId)) {
    const empty = { text: '', media: '[]', entities: '[]', hashtags: [], pinned: false, hidden_because: null };
    await tx
      .updateTable('post')
      .set({ ...empty, deleted_at: at })
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
const moderates = async (db: Db, tokenId: string | null, userId: string, nowMs: number): Promise<boolean> => {
  if (tokenId === null) return false;
  const token = await db.selectFrom('token').select('creator').where('token_id', '=', tokenId).executeTakeFirst();
  // No wallet is the empty text: of a token that a reorg took away moderators are left.
  const place = { token_id: tokenId, creator: token?.creator ?? ('' as Address) };
  return commands(await standingOf(db, place, userId, nowMs));
};
