import { MintageError } from '@mintage/protocol';
import { type RawBuilder, sql } from 'kysely';

/** Whether lists show a post to everybody. */
export const isListed = sql<boolean>`post.parent_id is null and post.deleted_at is null and post.hidden_because is null`;

/**
 * Whether neither of two users blocked the other.
 *
 * @param other - By default the post's author.
 */
export const isSeenBy = (
  readerId: string | null,
  other: RawBuilder<unknown> = sql`post.author_id`,
): RawBuilder<boolean> =>
  readerId === null
    ? sql<boolean>`true`
    : sql<boolean>`not exists (select from user_block b where b.user_id = ${readerId} and b.blocked_id = ${other})
        and not exists (select from user_block b where b.user_id = ${other} and b.blocked_id = ${readerId})`;

export const noPost = (): MintageError => new MintageError('POST_NOT_FOUND', 'There is no such post.');
