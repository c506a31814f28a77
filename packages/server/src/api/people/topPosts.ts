import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../db/serviceTables.ts';
import { isUuid } from '../tokens/tokenRef.ts';
import { CursorMs, readParts, writeParts } from '../wire/cursor.ts';
import { type Feed, isTagged, listed } from './feeds.ts';
import { type PostRow, postColumns } from './showPosts.ts';

/** How posts are ranked, the best first: by what votes said when they were last told (`notifications/tellHappenings.ts`). */
interface Rank {
  /** USD behind the votes, 18 fraction digits. */
  score: bigint;
  /** Votes for it less those against it. */
  votes: number;
  madeAt: Date;
  id: string;
}

export type RankedPost = PostRow & { rank: Rank };

const Parts = z.tuple([z.string().regex(/^-?\d{1,78}$/), z.int32(), CursorMs, z.string().refine(isUuid)]);

/** @throws INVALID_PARAMETERS when the text is not of a page's `next_cursor`. */
export const readRank = (cursor: string | undefined): Rank | null => {
  const parts = readParts(cursor, Parts);
  if (parts === null) return null;
  const [score, votes, ms, id] = parts;
  return { score: BigInt(score), votes, madeAt: new Date(ms), id };
};

export const rankText = ({ score, votes, madeAt, id }: Rank): string =>
  writeParts([score.toString(), votes, madeAt.getTime(), id]);

/** Most posts that are sorted. */
const mostSorted = 2_500;

/**
 * The best posts, without comments. Where a filter leaves few they are sorted; else they are read along an index of the best until a
 * page is full: that of a hub, of each hour, or of all time.
 *
 * @param from - The oldest that count, an hour or days ago; null: all.
 */
export const topPosts = async (
  db: Db,
  feed: Feed,
  { from, now }: { from: Date | null; now: Date },
  after: Rank | null,
): Promise<RankedPost[]> => {
  const best = (await leavesFew(db, feed, from))
    ? bestOfFew(feed, from, after)
    : feed.filter.tokenId !== null || from === null
      ? bestOfAll(feed, from, after)
      : bestOfHours(feed, from, now, after);
  const { rows } = await sql<PostRow & { score: bigint; votes: number; made_at: Date }>`
    select ${postColumns}, best.score, best.votes, best.made_at
    from (${best}) best join post on post.post_id = best.target_id
    ${bestFirst}`.execute(db);
  return rows.map(({ score, votes, made_at, ...post }) => ({
    ...post,
    rank: { score, votes, madeAt: made_at, id: post.post_id },
  }));
};

const leavesFew = async (db: Db, feed: Feed, from: Date | null): Promise<boolean> => {
  const { tokenId, authorId, hashtag, withMedia } = feed.filter;
  const isPlain = authorId === null && hashtag === null && !withMedia;
  if (isPlain && (tokenId === null || from === null)) return false;
  const found =
    hashtag === null
      ? filtered(feed, from)
      : sql`(select from post_hashtag where hashtag = ${hashtag} and ${isSince(from, sql`created_at`)})`;
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select from ${found} found limit ${mostSorted + 1}) few`.execute(db);
  return Number(rows[0]?.count) <= mostSorted;
};

const rank = sql`tally.ranked_usd18 as score, tally.ranked_votes as votes, tally.made_at, tally.target_id`;
const order = sql`tally.ranked_usd18 desc, tally.ranked_votes desc, tally.made_at desc, tally.target_id desc`;

const bestFirst = sql`order by best.score desc, best.votes desc, best.made_at desc, best.target_id desc`;

const isBelow = (after: Rank | null) =>
  after === null
    ? sql`true`
    : sql`(tally.ranked_usd18, tally.ranked_votes, tally.made_at, tally.target_id)
        < (${after.score.toString()}::numeric, ${after.votes}::int, ${after.madeAt}::timestamptz, ${after.id}::uuid)`;

const isSince = (from: Date | null, column: RawBuilder<unknown>) =>
  from === null ? sql`true` : sql`${column} >= ${from}::timestamptz`;

/**
 * Along the index of the best of a hub, where the filter has a token, or of all. The token is asked of the tally alone: asked of the post
 * too, the database takes it for two conditions that hardly meet.
 */
const bestOfAll = (feed: Feed, from: Date | null, after: Rank | null): RawBuilder<unknown> => {
  const { tokenId } = feed.filter;
  const any = { ...feed, filter: { ...feed.filter, tokenId: null } };
  const place = tokenId === null ? sql`tally.target_type = 'post'` : sql`tally.token_id = ${tokenId}`;
  return sql`
    select ${rank} from tally join post on post.post_id = tally.target_id
    where ${place} and ${isSince(from, sql`tally.made_at`)} and ${listed(any)} and ${isTagged(any)} and ${isBelow(after)}
    order by ${order} limit ${feed.rows}`;
};

/**
 * A page holds posts of as many hours as it has rows at most: of those whose best are the best, and nothing worse than the best of
 * each.
 */
const bestOfHours = (feed: Feed, from: Date, now: Date, after: Rank | null): RawBuilder<unknown> => {
  const ofHour = (hour: RawBuilder<unknown>) => sql`
    from tally join post on post.post_id = tally.target_id
    where tally.target_type = 'post' and date_trunc('hour', tally.made_at at time zone 'UTC') = ${hour}
      and ${isSince(from, sql`tally.made_at`)} and ${listed(feed)} and ${isTagged(feed)} and ${isBelow(after)}`;
  return sql`
    with best as materialized (
      select hour, best.* from generate_series(
        date_trunc('hour', ${from}::timestamptz at time zone 'UTC'),
        date_trunc('hour', ${now}::timestamptz at time zone 'UTC') + interval '1 hour',
        interval '1 hour'
      ) hour cross join lateral (select ${rank} ${ofHour(sql`hour`)} order by ${order} limit 1) best
      ${bestFirst} limit ${feed.rows}
    )
    select below.* from best cross join lateral (
      select ${rank} ${ofHour(sql`best.hour`)} and tally.ranked_usd18 >= coalesce(
        (select score from best order by score desc offset ${feed.rows - 1} limit 1), ${worstScore}::numeric)
      order by ${order} limit ${feed.rows}
    ) below
    order by below.score desc, below.votes desc, below.made_at desc, below.target_id desc limit ${feed.rows}`;
};

/** Below any score of `numeric(78)`. */
const worstScore = '-1e78';

/** All of them are ranked before the best are taken: else the database may look for them in the order of all posts. */
const bestOfFew = (feed: Feed, from: Date | null, after: Rank | null): RawBuilder<unknown> => sql`
  with tally as materialized (
    select tally.* from ${filtered(feed, from)} few
    join tally on tally.target_type = 'post' and tally.target_id = few.post_id
  )
  select ${rank} from tally where ${isBelow(after)} order by ${order} limit ${feed.rows}`;

/** The posts that fit, along the index of their token, author, tag or media. */
const filtered = (feed: Feed, from: Date | null): RawBuilder<unknown> => {
  const { hashtag } = feed.filter;
  const isYoung = isSince(from, sql`post.created_at`);
  if (hashtag === null) return sql`(select post.post_id from post where ${listed(feed)} and ${isYoung} offset 0)`;
  return sql`(select post.post_id from post_hashtag tagged join post on post.post_id = tagged.post_id
    where tagged.hashtag = ${hashtag} and ${isSince(from, sql`tagged.created_at`)} and ${listed(feed)} offset 0)`;
};
