import type { ReportedPost } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import { oneOf } from '../reads/oneOf.ts';
import type { Reading } from '../tokens/reading.ts';
import { isUuid } from '../tokens/tokenRef.ts';
import { cursorPage, readCursor } from '../wire/cursor.ts';
import { userCards } from './cards.ts';
import { type PostRow, postColumns, showPosts } from './showPosts.ts';

/** Reports that are shown of one post. */
const mostShown = 20;

/**
 * Posts with reports that nobody has seen to: a page, those whose first report waits longest first.
 *
 * @throws INVALID_PARAMETERS when the cursor is not of a page's `next_cursor`.
 */
export const openReports = async (
  context: Pick<Reading, 'db' | 'config'>,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) => {
  const { db } = context;
  const { page, pagination } = cursorPage(await reportedPosts(db, limit + 1, cursor), limit, (row) => ({
    time: row.first_at,
    id: row.post_id,
  }));
  const [posts, ofPost] = await Promise.all([
    showPosts(context, page, null),
    reportsOf(
      db,
      page.map(({ post_id }) => post_id),
    ),
  ]);
  const reported = page.map(({ post_id, hidden_because }, nth): ReportedPost => {
    const post = posts[nth] as ReportedPost['post'];
    return {
      post: { ...post, ...(hidden_because !== null && { hidden: { reason: hidden_because } }) },
      ...ofPost(post_id),
    };
  });
  return { success: true as const, reported, pagination };
};

/** Found along the index of waiting reports: of each post the first one counts. */
const reportedPosts = async (db: Db, rows: number, cursor: string | undefined) => {
  const after = readCursor(cursor, isUuid);
  const isAfter =
    after === null
      ? sql`true`
      : sql`report.created_at >= ${after.time}::timestamptz
          and (report.created_at, report.post_id) > (${after.time}::timestamptz, ${after.id}::uuid)`;
  const found = await sql<PostRow & { first_at: Date }>`
    select ${postColumns}, report.created_at as first_at
    from post_report report join post on post.post_id = report.post_id
    where report.resolved_at is null and post.deleted_at is null and ${isAfter} and not exists (
      select from post_report earlier where earlier.post_id = report.post_id and earlier.resolved_at is null
        and (earlier.created_at, earlier.user_id) < (report.created_at, report.user_id))
    order by report.created_at, report.post_id limit ${rows}`.execute(db);
  return found.rows;
};

/** What is reported of each of these posts. */
const reportsOf = async (db: Db, postIds: readonly string[]) => {
  const waiting = db.selectFrom('post_report').where(oneOf('post_id', postIds)).where('resolved_at', 'is', null);
  const [counts, oldest] = await Promise.all([
    waiting
      .select(({ fn }) => ['post_id', 'reason', fn.countAll<number>().as('count')])
      .groupBy(['post_id', 'reason'])
      .execute(),
    db
      .selectFrom(
        waiting
          .select(['post_id', 'user_id', 'reason', 'note', 'created_at'])
          .select(sql<number>`row_number() over (partition by post_id order by created_at, user_id)`.as('nth'))
          .as('report'),
      )
      .selectAll()
      .where('nth', '<=', mostShown)
      .orderBy('nth')
      .execute(),
  ]);
  const cards = await userCards(
    db,
    oldest.map(({ user_id }) => user_id),
  );
  return (postId: string): Omit<ReportedPost, 'post'> => {
    const counted = counts.filter(({ post_id }) => post_id === postId);
    return {
      reports_count: counted.reduce((sum, { count }) => sum + Number(count), 0),
      reasons: Object.fromEntries(counted.map(({ reason, count }) => [reason, Number(count)])),
      reports: oldest
        .filter(({ post_id }) => post_id === postId)
        .map(({ user_id, reason, note, created_at }) => ({
          user: cards.get(user_id) ?? null,
          reason,
          note,
          created_at: created_at.toISOString(),
        })),
    };
  };
};
