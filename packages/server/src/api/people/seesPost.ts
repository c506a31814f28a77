import { MintageError } from '@mintage/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { PostTable } from '../../db/serviceTables.ts';
import { isOfListedToken } from '../tokens/listedTokens.ts';

/** Whether lists and streams show a post or comment to everybody. */
export const isShownToAll = sql<boolean>`(post.deleted_at is null and post.hidden_because is null
  and ${isOfListedToken})`;

/** Whether lists of posts show one to everybody. */
export const isListed = sql<boolean>`post.parent_id is null and ${isShownToAll}`;

/**
 * Whether no block lies between the reader and who wrote the post. A launch is the service's: were it not, a block would tell whose the
 * wallet is that created the token.
 */
export const isPostSeenBy = (readerId: string | null): RawBuilder<boolean> =>
  readerId === null
    ? sql<boolean>`true`
    : sql<boolean>`(post.type = 'launch' or (${isSeenBy(readerId, sql`post.author_id`)}))`;

/** Whom a block can keep from a post: its author, but for launches. */
export const blockable = ({ type, author_id }: Pick<PostTable, 'type' | 'author_id'>): string | null =>
  type === 'launch' ? null : author_id;

/** Whether neither of two users blocked the other. */
export const isSeenBy = (readerId: string | null, other: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from user_block b where b.user_id = ${readerId} and b.blocked_id = ${other})
        and not exists (select from user_block b where b.user_id = ${other} and b.blocked_id = ${readerId})`;

export const noPost = (): MintageError => new MintageError('POST_NOT_FOUND', 'There is no such post.');
