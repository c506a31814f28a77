import { sql } from 'kysely';
import type { Tx } from '../../db/serviceTables.ts';
import { removePost } from './removePost.ts';

/** Deletes what a user posted and commented in a hub. The user's row and the hub's are locked already, in this order. */
export const deletePostsOf = async (
  tx: Tx,
  context: { now(): number },
  tokenId: string,
  userId: string,
): Promise<void> => {
  const posts = await tx
    .selectFrom('post')
    .select('post_id')
    .where('token_id', '=', tokenId)
    .where('author_id', '=', userId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .execute();
  const ids = posts.map(({ post_id: id }) => id);
  // In the order in which the index locks them.
  await sql`select from tally where target_type = 'post' and target_id = any(${ids}::uuid[])
    order by target_id for no key update`.execute(tx);
  for (const postId of ids) await removePost(tx, context, { postId, userId });
};
