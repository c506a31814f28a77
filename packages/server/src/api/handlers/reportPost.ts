import { definitions } from '@mintage/protocol/operations';
import { requireSeen } from '../people/requireSeen.ts';
import { noPost } from '../people/seesPost.ts';
import { handler } from './handler.ts';

export const reportPost = handler(
  definitions.reportPost,
  async ({ db, now }, { post_id, reason, note }, { caller }) => {
    const post = await requireSeen(db, post_id, caller.userId);
    if (post.deleted_at !== null) throw noPost();
    const said = { reason, note: note || null };
    await db
      .insertInto('post_report')
      .values({ post_id: post.post_id, user_id: caller.userId, created_at: new Date(now()), ...said })
      .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doUpdateSet(said))
      .execute();
    return { success: true, reported: true };
  },
);
