import { randomUUID } from 'node:crypto';
import { MintageError, tokenDecimalsAt, units18 } from '@mintage/protocol';
import type { PostedMedia } from '@mintage/protocol/operations';
import type { Db, Tx } from '../../db/serviceTables.ts';
import { letGoOfFiles } from '../media/looseFiles.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';
import { isBlockedPair } from './between.ts';
import { entitiesOf, hashtagsOf } from './entities.ts';
import { hidesWallets } from './hidesWallets.ts';
import { listPost, lockPlaces, urlsOf } from './listing.ts';
import { heldBy, requireMayPost } from './mayPost.ts';
import { blockable, noPost } from './seesPost.ts';
import { openTally } from './tally.ts';

export interface NewPost {
  authorId: string;
  /** In the form of `postedText`. */
  text: string;
  media: readonly PostedMedia[];
  /** That of the parent, where there is one. */
  token: KnownToken | null;
  parentId: string | null;
}

/**
 * Stores a post or comment, counted everywhere.
 *
 * @returns Its id.
 * @throws POST_NOT_FOUND, BLOCKED, HUB_BANNED, HUB_MEMBERS_ONLY, HUB_HOLDERS_ONLY, INVALID_PARAMETERS
 */
export const addPost = async (tx: Tx, context: { now(): number }, post: NewPost): Promise<string> => {
  const { authorId, text, media, token, parentId } = post;
  const tokenId = token?.token_id ?? null;
  const above = parentId === null ? null : await parentOf(tx, parentId);
  await lockPlaces(tx, { author_id: authorId, token_id: tokenId, root_id: above?.root_id ?? parentId }, token);
  const parent = parentId === null ? null : await parentOf(tx, parentId);
  const other = parent === null ? null : blockable(parent);
  if (other !== null && (await isBlockedPair(tx, authorId, other)))
    throw new MintageError('BLOCKED', 'You cannot comment: one of you blocked the other.');
  if (token !== null) await requireMayPost(tx, context, token, authorId);
  const entities = await entitiesOf(tx, text, { token, authorId });
  const placed = {
    post_id: randomUUID(),
    type: parentId === null ? ('post' as const) : ('comment' as const),
    author_id: authorId,
    token_id: tokenId,
    parent_id: parentId,
    root_id: parent === null ? null : (parent.root_id ?? parentId),
    created_at: await timeOf(tx, context, parent),
    media,
    hashtags: hashtagsOf(entities),
  };
  await tx
    .insertInto('post')
    .values({
      ...placed,
      text,
      hashtags: [...placed.hashtags],
      media: JSON.stringify(media),
      entities: JSON.stringify(entities),
      author_holds: token === null ? null : await shownHolding(tx, token, authorId),
    })
    .execute();
  // Those that were stored before may be about to go.
  await letGoOfFiles(tx, urlsOf(media), context.now());
  await openTally(tx, {
    target_type: 'post',
    target_id: placed.post_id,
    made_at: placed.created_at,
    token_id: parentId === null ? tokenId : null,
  });
  await listPost(tx, placed, new Date(context.now()));
  return placed.post_id;
};

/** @throws POST_NOT_FOUND for one on which nobody can comment (any more). */
export const parentOf = async (db: Db, postId: string) => {
  const parent = await db
    .selectFrom('post')
    .select(['post_id', 'type', 'author_id', 'token_id', 'root_id', 'last_comment_at'])
    .where('post_id', '=', postId)
    .where('deleted_at', 'is', null)
    .where('hidden_because', 'is', null)
    .executeTakeFirst();
  if (parent === undefined) throw noPost();
  return parent;
};

/** Later than every comment before it, so that who reads the oldest first misses none. Under the lock of its thread. */
const timeOf = async (
  tx: Tx,
  { now }: { now(): number },
  parent: { post_id: string; last_comment_at: Date | null } | null,
): Promise<Date> => {
  if (parent === null) return new Date(now());
  const time = new Date(Math.max(now(), (parent.last_comment_at?.getTime() ?? 0) + 1));
  await tx.updateTable('post').set({ last_comment_at: time }).where('post_id', '=', parent.post_id).execute();
  return time;
};

/** Whole tokens with 18 fraction digits; null when the author hides which wallets are theirs. */
const shownHolding = async (tx: Tx, token: KnownToken, authorId: string): Promise<bigint | null> =>
  (await hidesWallets(tx, authorId))
    ? null
    : units18(await heldBy(tx, token.token_id, authorId), tokenDecimalsAt(token.eid));
