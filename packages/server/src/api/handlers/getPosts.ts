import { invalid, MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import type { z } from 'zod';
import { readerIdOf } from '../people/asked.ts';
import { tagKey } from '../people/entities.ts';
import { afterPost, commentsOn, type Feed, followedPosts, latestPosts } from '../people/feeds.ts';
import { requireSeen } from '../people/requireSeen.ts';
import { type PostRow, showPosts } from '../people/showPosts.ts';
import { taggedToken } from '../people/taggedToken.ts';
import { rankText, readRank, topPosts } from '../people/topPosts.ts';
import { cursorPage } from '../wire/cursor.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

type Input = z.output<typeof definitions.getPosts.input>;

const hourMs = 60 * 60 * 1_000;
/** Of more hours the best are not read hour by hour. */
const longestSinceMs = 31 * 24 * hourMs;
const windowMs = { '1h': hourMs, '24h': 24 * hourMs, '7d': 7 * 24 * hourMs, all: Number.POSITIVE_INFINITY } as const;

export const getPosts = handler(definitions.getPosts, async (context, input, { caller }) => {
  const readerId = readerIdOf(caller);
  const { feed, limit } = input;
  if (feed === 'following' && readerId === null)
    throw new MintageError('AUTHENTICATION_FAILED', 'Whom you follow takes a credential that may read.');
  if (feed !== 'latest' && input.parent_id !== undefined) throw invalid('parent_id', 'goes with the feed latest only');
  const token = await taggedToken(context, input);
  const filter = {
    tokenId: token?.token_id ?? null,
    authorId: input.author_id?.toLowerCase() ?? null,
    hashtag: input.hashtag === undefined ? null : tagKey(input.hashtag),
    withMedia: input.with_media,
    since: input.since === undefined ? null : new Date(input.since),
  };
  const asked: Feed = { filter, readerId, rows: limit + 1 };
  const { page, pagination } =
    feed === 'top' ? await bestPage(context, input, asked) : await timePage(context, input, asked);
  return { success: true, posts: await showPosts(context, page, readerId), pagination };
});

const timePage = async ({ db }: Context, { feed, parent_id, limit, cursor }: Input, asked: Feed) => {
  const after = afterPost(cursor);
  const read = async (): Promise<PostRow[]> => {
    if (feed === 'following') return followedPosts(db, asked, after);
    if (parent_id === undefined) return latestPosts(db, asked, after);
    const parent = await requireSeen(db, parent_id, asked.readerId);
    return commentsOn(db, parent.post_id, asked, after);
  };
  return cursorPage(await read(), limit, ({ created_at, post_id }) => ({ time: created_at, id: post_id }));
};

const bestPage = async ({ db, now }: Context, { window, limit, cursor }: Input, asked: Feed) => {
  const nowMs = now();
  const ageMs = Math.min(windowMs[window], nowMs - (asked.filter.since?.getTime() ?? -Infinity));
  if (Number.isFinite(ageMs) && ageMs > longestSinceMs)
    throw invalid('since', 'goes back 31 days at most with the feed top; leave it out for all time');
  const from = ageMs === Number.POSITIVE_INFINITY ? null : new Date(nowMs - Math.max(0, ageMs));
  const ranked = await topPosts(db, asked, { from, now: new Date(nowMs) }, readRank(cursor));
  const page = ranked.slice(0, limit);
  const last = page.at(-1);
  const hasMore = ranked.length > limit && last !== undefined;
  const next_cursor = hasMore ? rankText(last.rank) : null;
  return { page, pagination: { limit, total_returned: page.length, has_more: hasMore, next_cursor } };
};
