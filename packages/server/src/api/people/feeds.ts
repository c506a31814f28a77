import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import { isUuid } from '../tokens/tokenRef.ts';
import { type After, readCursor } from '../wire/cursor.ts';
import { isListed, isPostSeenBy, isSeenBy, isShownToAll } from './seesPost.ts';
import { type PostRow, postColumns } from './showPosts.ts';

/** What posts have to be; absent and null: anything. */
export interface PostFilter {
  tokenId: string | null;
  authorId: string | null;
  /** As `tagKey` gives it. */
  hashtag: string | null;
  withMedia: boolean;
  since: Date | null;
}

export interface Feed {
  filter: PostFilter;
  /** Whose eyes it is for. */
  readerId: string | null;
  /** One more than are shown. */
  rows: number;
}

/** Where a page of posts begins. @throws INVALID_PARAMETERS */
export const afterPost = (cursor: string | undefined): After | null => readCursor(cursor, isUuid);

/** The newest first, without comments. */
export const latestPosts = async (db: Db, feed: Feed, after: After | null): Promise<PostRow[]> => {
  const { hashtag } = feed.filter;
  const { rows } = await (hashtag === null
    ? sql<PostRow>`select ${postColumns} from post
        where ${listed(feed)} and ${isBefore(after, sql`post`)}
        order by post.created_at desc, post.post_id desc limit ${feed.rows}`
    : sql<PostRow>`select ${postColumns} from post_hashtag tagged join post on post.post_id = tagged.post_id
        where tagged.hashtag = ${hashtag} and ${listed(feed)} and ${isBefore(after, sql`tagged`)}
        order by tagged.created_at desc, tagged.post_id desc limit ${feed.rows}`
  ).execute(db);
  return rows;
};

/**
 * Of those whom the reader follows, the newest first. A page holds posts of as many of them as it has rows at most: of those who
 * posted last, and nothing older than the newest of each.
 */
export const followedPosts = async (db: Db, feed: Feed, after: After | null): Promise<PostRow[]> => {
  const { filter, readerId, rows: most } = feed;
  // Blocks are asked once for each user, and nothing that is not in the index of authors: so the newest of each are found there alone.
  const isTheirs = sql`post.type = 'post' and ${isShownToAll}
    and ${fits(filter)} and ${isTagged(feed)} and ${isBefore(after, sql`post`)}`;
  const newestFirst = sql`order by post.created_at desc, post.post_id desc`;
  const { rows } = await sql<PostRow>`
    with followed as materialized (
      select followed_id as author_id from user_follow
      where user_id = ${readerId} and ${isSeenBy(readerId, sql`user_follow.followed_id`)}
    ), newest as materialized (
      select post.* from followed cross join lateral (
        select post.author_id, post.created_at, post.post_id from post
        where post.author_id = followed.author_id and ${isTheirs} ${newestFirst} limit 1
      ) post
      ${newestFirst} limit ${most}
    )
    select ${postColumns} from (
      select theirs.post_id from newest cross join lateral (
        select post.created_at, post.post_id from post
        where post.author_id = newest.author_id and ${isTheirs} and post.created_at >= coalesce(
          (select created_at from newest order by created_at desc offset ${most - 1} limit 1), '-infinity')
        ${newestFirst} limit ${most}
      ) theirs
      order by theirs.created_at desc, theirs.post_id desc limit ${most}
    ) page join post using (post_id)
    ${newestFirst}`.execute(db);
  return rows;
};

/** Right below a post, the oldest first; those that were deleted while there are comments on them. */
export const commentsOn = async (db: Db, parentId: string, feed: Feed, after: After | null): Promise<PostRow[]> => {
  const isAfter =
    after === null ? sql`true` : sql`(post.created_at, post.post_id) > (${after.time}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<PostRow>`select ${postColumns} from post
    where post.parent_id = ${parentId} and post.hidden_because is null
      and ${fits(feed.filter)} and ${isTagged(feed)} and ${isPostSeenBy(feed.readerId)} and ${isAfter}
    order by post.created_at, post.post_id limit ${feed.rows}`.execute(db);
  return rows;
};

/** What lists show of `post`. Of one author no launches, which tell whose a wallet is. */
export const listed = ({ filter, readerId }: Feed): RawBuilder<boolean> => {
  const ownOnly = filter.authorId === null ? sql`true` : sql`post.type = 'post'`;
  return sql<boolean>`${isListed} and ${ownOnly} and ${fits(filter)} and ${isPostSeenBy(readerId)}`;
};

export const isTagged = ({ filter: { hashtag } }: Feed): RawBuilder<boolean> =>
  hashtag === null ? sql<boolean>`true` : sql<boolean>`${hashtag} = any(post.hashtags)`;

/** Without the tag. */
const fits = ({ tokenId, authorId, withMedia, since }: PostFilter): RawBuilder<boolean> =>
  sql<boolean>`${sql.join(
    [
      sql`true`,
      ...(tokenId === null ? [] : [sql`post.token_id = ${tokenId}`]),
      ...(authorId === null ? [] : [sql`post.author_id = ${authorId}`]),
      ...(withMedia ? [sql`post.media <> '[]'`] : []),
      ...(since === null ? [] : [sql`post.created_at >= ${since}`]),
    ],
    sql` and `,
  )}`;

const isBefore = (after: After | null, table: RawBuilder<unknown>) =>
  after === null
    ? sql`true`
    : sql`(${table}.created_at, ${table}.post_id) < (${after.time}::timestamptz, ${after.id}::uuid)`;
