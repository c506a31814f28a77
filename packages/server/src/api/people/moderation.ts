import { sql } from 'kysely';
import { happened } from '../../db/happenings.ts';
import type { Db, Tx } from '../../db/serviceTables.ts';
import { decision } from './decision.ts';
import { listPost, unlistPost } from './listing.ts';
import { lockedPost } from './removePost.ts';

/** What an operator does about what people say; each is written down. */

interface Deed {
  action: 'hide_post' | 'unhide_post' | 'suspend_user' | 'unsuspend_user' | 'resolve_reports';
  target: string;
  reason: string | null;
}

/**
 * Shows a post to nobody but its author, who sees why; comments on it stay.
 *
 * @throws When there is no such post, or it is deleted.
 */
export const hidePost = (db: Db, postId: string, reason: string): Promise<void> =>
  moderated(db, { action: 'hide_post', target: postId, reason }, async (tx, now) => {
    const post = await requirePost(tx, postId);
    if (post.hidden_because === null) {
      await unlistPost(tx, post, 'hidden', now);
      if (post.author_id !== null)
        await happened(tx, [decision(post.author_id, `hidden:${postId}`, { post_id: postId, detail: 'hidden' })], now);
    }
    const changes = { hidden_because: reason, pinned: false };
    await tx.updateTable('post').set(changes).where('post_id', '=', postId).execute();
  });

/** @throws When there is no such post, or it is deleted. */
export const unhidePost = (db: Db, postId: string): Promise<void> =>
  moderated(db, { action: 'unhide_post', target: postId, reason: null }, async (tx, now) => {
    const post = await requirePost(tx, postId);
    if (post.hidden_because === null) return;
    await tx.updateTable('post').set({ hidden_because: null }).where('post_id', '=', postId).execute();
    await listPost(tx, post, now);
    await recountVotes(tx, postId);
  });

/** Votes stay while a post is hidden, and go on to lose weight; nobody votes, and no page is written, while they are counted. */
const recountVotes = async (tx: Tx, postId: string): Promise<void> => {
  await sql`lock table vote in share mode`.execute(tx);
  await sql`update tally set upvotes = counted.up, downvotes = counted.down, up_weight = counted.up_weight,
      down_weight = counted.down_weight, score_usd18 = counted.score
    from (select count(*) filter (where is_up) as up, count(*) filter (where not is_up) as down,
        coalesce(sum(weight) filter (where is_up), 0) as up_weight,
        coalesce(sum(weight) filter (where not is_up), 0) as down_weight,
        coalesce(sum((case when is_up then 1 else -1 end) * div(weight * price_usd18, 10::numeric ^ 18)), 0) as score
      from vote where target_type = 'post' and target_id = ${postId}) counted
    where target_type = 'post' and target_id = ${postId}`.execute(tx);
};

/** @throws When there is no such user. */
export const suspendUser = (db: Db, userId: string, reason: string): Promise<void> =>
  moderated(db, { action: 'suspend_user', target: userId, reason }, async (tx, now) => {
    await setSuspended(tx, userId, reason);
    await happened(tx, [decision(userId, `suspended:${now.getTime()}`, { detail: 'suspended' })], now);
  });

/** @throws When there is no such user. */
export const unsuspendUser = (db: Db, userId: string): Promise<void> =>
  moderated(db, { action: 'unsuspend_user', target: userId, reason: null }, (tx) => setSuspended(tx, userId, null));

/**
 * Takes what was reported of a post as seen to.
 *
 * @returns How many reports that were.
 */
export const resolveReports = (db: Db, postId: string): Promise<number> =>
  moderated(db, { action: 'resolve_reports', target: postId, reason: null }, async (tx, now) => {
    const { numUpdatedRows } = await tx
      .updateTable('post_report')
      .set({ resolved_at: now })
      .where('post_id', '=', postId)
      .where('resolved_at', 'is', null)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  });

/** Most that are shown at once, the longest waiting first. */
const mostReports = 100;

/** Reports that nobody has seen to. */
export const waitingReports = (db: Db) =>
  db
    .selectFrom('post_report as report')
    .innerJoin('post', 'post.post_id', 'report.post_id')
    .select(['report.post_id', 'report.user_id', 'report.reason', 'report.note', 'report.created_at'])
    .select(['post.author_id', 'post.text', 'post.hidden_because'])
    .where('report.resolved_at', 'is', null)
    .orderBy('report.created_at')
    .limit(mostReports)
    .execute();

const moderated = async <Result>(db: Db, deed: Deed, act: (tx: Tx, now: Date) => Promise<Result>): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    const now = new Date();
    const result = await act(tx, now);
    await tx
      .insertInto('moderation')
      .values({ ...deed, at: now, user_id: null })
      .execute();
    return result;
  });

const requirePost = async (tx: Tx, postId: string) => {
  const post = await lockedPost(tx, postId);
  if (post === null || post.deleted_at !== null) throw new Error(`there is no post ${postId}`);
  return post;
};

const setSuspended = async (tx: Tx, userId: string, reason: string | null): Promise<void> => {
  const { numUpdatedRows } = await tx
    .updateTable('app_user')
    .set({ suspended_because: reason })
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Error(`there is no user ${userId}`);
};
