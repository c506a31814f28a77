import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import { lockUser } from '../accounts/users.ts';
import { removePosts } from './removePost.ts';

/** Posts that one transaction deletes. */
const mostAtOnce = 100;

/**
 * Deletes what a user, who is banned from it already, posted and commented in a hub: some at a time, so that nobody waits long. Where it
 * ends before all are gone, the same again goes on.
 */
export const deletePostsOf = async (
  db: Db,
  context: { now(): number },
  tokenId: string,
  userId: string,
): Promise<void> => {
  const deleteSome = (): Promise<number> =>
    db.transaction().execute(async (tx) => {
      await lockUser(tx, userId);
      const posts = await tx
        .selectFrom('post')
        .select('post_id as postId')
        .where('token_id', '=', tokenId)
        .where('author_id', '=', userId)
        .where('deleted_at', 'is', null)
        .orderBy('created_at', 'desc')
        .limit(mostAtOnce)
        .execute();
      // After the hub, and in the order in which the index locks them.
      await tx.selectFrom('hub').select('token_id').where('token_id', '=', tokenId).forNoKeyUpdate().execute();
      await sql`select from tally where target_type = 'post' and target_id = any(${posts.map(({ postId }) => postId)}::uuid[])
        order by target_id for no key update`.execute(tx);
      await removePosts(
        tx,
        context,
        posts.map(({ postId }) => ({ postId, userId })),
      );
      return posts.length;
    });
  while ((await deleteSome()) === mostAtOnce);
};
