import { sql } from 'kysely';
import type { Happening, Notice, PostHappening } from '../../db/happenings.ts';
import { publish } from '../../db/outbox.ts';
import type { Tx } from '../../db/serviceTables.ts';
import { rankByVotes } from '../people/tally.ts';
import { type VoteTargets, voteCounts } from '../people/voteCounts.ts';
import { oneOf } from '../reads/oneOf.ts';
import { newsOf } from './news.ts';
import { notify, type Wanted } from './notify.ts';
import { retractHiding, retractPost } from './retract.ts';
import type { Teller } from './teller.ts';

const mostAtOnce = 500;
const votesEveryMs = 1_000;
/** Voters and pages wait for the rows of as many targets while they are ranked. */
const mostVotesAtOnce = 4_000;
const votesTaken = 100;

/**
 * Tells what happened but votes, in the order in which it was written.
 *
 * @returns Whether there may be more.
 */
export const tellHappenings = async (tx: Tx): Promise<boolean> => {
  const happenings = await take(tx, sql`kind <> 'votes'`, mostAtOnce);
  const posts = happenings.flatMap(({ data, at }) => (data.kind === 'post' ? [{ post: data, at }] : []));
  const notices = happenings.flatMap(({ data, at }) => (data.kind === 'notification' ? [wantedOf(data, at)] : []));
  const gone = posts.filter(({ post }) => post.change !== 'created');
  for (const { post, at } of gone) await retractPost(tx, post.post_id, at);
  const created = posts.filter(({ post }) => post.change === 'created');
  for (const { post, at } of created) await retractHiding(tx, post.post_id, at);
  await notify(tx, [...notices, ...(await wantedOfPosts(tx, created))]);
  const platformIds = await platformIdsOf(tx, posts);
  await publish(
    tx,
    posts.map(({ post, at }) =>
      newsOf('posts', at, {
        platform_id: platformIds.get(post.token_id ?? '') ?? null,
        // A launch is the service's: a filter by authors would tell whose the wallet is that created the token.
        data: { ...post, author_id: post.type === 'launch' ? null : post.author_id },
      }),
    ),
  );
  return happenings.length === mostAtOnce;
};

/** Tells how people voted, and ranks it: each token and post once, however many voted since the last time. */
export const tellVotes = async (tx: Tx, { votes_at }: Teller, at: Date): Promise<boolean> => {
  if (at.getTime() - votes_at.getTime() < votesEveryMs) return false;
  const targets = { token: new Set<string>(), post: new Set<string>() };
  let isAny = false;
  for (let isMore = true; isMore && targets.token.size + targets.post.size < mostVotesAtOnce; ) {
    const some = await take(tx, sql`kind = 'votes'`, votesTaken);
    for (const { data } of some)
      if (data.kind === 'votes') for (const id of data.target_ids) targets[data.target_type].add(id);
    isAny ||= some.length > 0;
    isMore = some.length === votesTaken;
  }
  if (!isAny) return false;
  const voted = (['token', 'post'] as const).map((type) => ({ type, ids: [...targets[type]] }));
  for (const some of voted) await publishVotes(tx, some, at);
  await tx.updateTable('teller').set({ votes_at: at }).execute();
  // Last, because pages and voters wait for these rows. None of them waits for the topic, which only this function writes.
  await rankByVotes(tx, voted);
  return false;
};

const publishVotes = async (tx: Tx, { type, ids }: VoteTargets, at: Date): Promise<void> => {
  if (ids.length === 0) return;
  const counts = await voteCounts(tx, { type, ids }, null);
  const platformIds = type === 'token' ? await platformIdsOfTokens(tx, ids) : await platformIdsOfPosts(tx, ids);
  await publish(
    tx,
    ids.map((id) => {
      const { user_vote: _, ...votes } = counts.of(id);
      const data = { target_type: type, target_id: id, votes };
      return newsOf('votes', at, { platform_id: platformIds.get(id) ?? null, data });
    }),
  );
};

const take = async (tx: Tx, which: ReturnType<typeof sql>, most: number): Promise<{ data: Happening; at: Date }[]> => {
  const { rows } = await sql<{ happening_id: number; data: Happening; at: Date }>`
    delete from happening where happening_id in (
      select happening_id from happening where ${which} order by happening_id limit ${most})
    returning happening_id, data, at`.execute(tx);
  return rows.toSorted((a, b) => a.happening_id - b.happening_id);
};

const wantedOf = (notice: Notice, at: Date): Wanted => ({ ...notice, at });

/** Who is told of posts: of a comment the author of what it is below, and who is mentioned. */
const wantedOfPosts = async (tx: Tx, posts: readonly { post: PostHappening; at: Date }[]): Promise<Wanted[]> => {
  const ids = posts.map(({ post }) => post.post_id);
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom('post')
    .leftJoin('post as parent', 'parent.post_id', 'post.parent_id')
    .select(['post.post_id', 'post.author_id', 'post.token_id', 'post.entities', 'post.created_at'])
    .select(['parent.author_id as above_id', 'parent.type as above_type'])
    .where(oneOf('post.post_id', ids))
    .where('post.deleted_at', 'is', null)
    .where('post.hidden_because', 'is', null)
    .execute();
  return rows.flatMap((row) => {
    const shared = { post_id: row.post_id, actor_id: row.author_id ?? undefined, token_id: row.token_id ?? undefined };
    const mentioned = row.entities.flatMap(({ kind, value }) => (kind === 'mention' ? [value] : []));
    // Who wants both is told of the comment: of one key the last counts.
    const told = mentioned.map((userId) => [userId, 'mention'] as const);
    return [...told, ...(row.above_id === null ? [] : [[row.above_id, 'comment'] as const])]
      .filter(([userId]) => userId !== row.author_id)
      .map(([user_id, type]) => ({ ...shared, user_id, type, key: `post:${row.post_id}`, at: row.created_at }));
  });
};

const platformIdsOf = (tx: Tx, posts: readonly { post: PostHappening }[]) =>
  platformIdsOfTokens(
    tx,
    posts.flatMap(({ post }) => post.token_id ?? []),
  );

/** Of tokens that a chain has now, by id. */
const platformIdsOfTokens = async (tx: Tx, ids: readonly string[]): Promise<Map<string, string>> => {
  const rows = await tx
    .selectFrom('token')
    .select(['token_id', 'platform_id'])
    .where(oneOf('token_id', [...new Set(ids)]))
    .execute();
  return new Map(rows.map((row) => [row.token_id, row.platform_id]));
};

/** Of the tokens that posts speak of, by the post's id. */
const platformIdsOfPosts = async (tx: Tx, ids: readonly string[]): Promise<Map<string, string>> => {
  const rows = await tx
    .selectFrom('post')
    .innerJoin('token', 'token.token_id', 'post.token_id')
    .select(['post.post_id', 'token.platform_id'])
    .where(oneOf('post.post_id', ids))
    .execute();
  return new Map(rows.map((row) => [row.post_id, row.platform_id]));
};
