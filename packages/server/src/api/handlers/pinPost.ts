import { definitions } from '@mintage/protocol/operations';
import type { Db } from '../../db/serviceTables.ts';
import { lockHub, requireRole, standingOf } from '../people/hubs.ts';
import { requireSeen } from '../people/requireSeen.ts';
import { noPost } from '../people/seesPost.ts';
import { showPost } from '../people/showPosts.ts';
import { findToken } from '../tokens/tokenRef.ts';
import { handler } from './handler.ts';

export const pinPost = handler(definitions.pinPost, async (context, input, { caller }) => {
  const { db, now } = context;
  const { pinned } = input;
  const postId = input.post_id.toLowerCase();
  const token = await findToken(db, await hubOf(db, postId));
  if (token === null) throw noPost();
  const post = await db.transaction().execute(async (tx) => {
    await lockHub(tx, token, now());
    requireRole(await standingOf(tx, token, caller.userId, now()), 'moderator');
    // Under the hub's lock, so it is neither deleted nor hidden until it is pinned.
    const seen = await requireSeen(tx, postId, caller.userId);
    if (seen.deleted_at !== null || seen.hidden_because !== null) throw noPost();
    const posts = tx.updateTable('post').where('token_id', '=', token.token_id);
    await posts
      .set({ pinned: false })
      .where('pinned', '=', true)
      .where('post_id', pinned ? '!=' : '=', postId)
      .execute();
    if (pinned) await posts.set({ pinned }).where('post_id', '=', postId).execute();
    return { ...seen, pinned };
  });
  return { success: true, post: await showPost(context, post, caller.userId) };
});

/**
 * The token in whose hub a post is that can be pinned.
 *
 * @throws POST_NOT_FOUND for a comment too, and for what is in no hub.
 */
const hubOf = async (db: Db, postId: string): Promise<string> => {
  const post = await db
    .selectFrom('post')
    .select('token_id')
    .where('post_id', '=', postId)
    .where('parent_id', 'is', null)
    .where('deleted_at', 'is', null)
    .where('hidden_because', 'is', null)
    .executeTakeFirst();
  if (!post?.token_id) throw noPost();
  return post.token_id;
};
