import { definitions } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { requireSeen } from '../people/requireSeen.ts';
import { noPost } from '../people/seesPost.ts';
import { handler } from './handler.ts';

export const reportPost = handler(
  definitions.reportPost,
  async ({ db, now }, { post_id, reason, note }, { caller }) => {
    const { post_id: postId } = await requireSeen(db, post_id, caller.userId);
    const said = { reason, note: note || null };
    await db.transaction().execute(async (tx) => {
      // It stays until the report is stored.
      const post = await tx
        .selectFrom('post')
        .select('post_id')
        .where('post_id', '=', postId)
        .where('deleted_at', 'is', null)
        .forKeyShare()
        .executeTakeFirst();
      if (post === undefined) throw noPost();
      await tx
        .insertInto('post_report')
        .values({ post_id: postId, user_id: caller.userId, created_at: new Date(now()), ...said })
        .onConflict((conflict) =>
          conflict.columns(['post_id', 'user_id']).doUpdateSet({
            ...said,
            // One that was seen to waits anew.
            created_at: sql`case when post_report.resolved_at is null then post_report.created_at else excluded.created_at end`,
            resolved_at: null,
          }),
        )
        .execute();
    });
    return { success: true, reported: true };
  },
);
