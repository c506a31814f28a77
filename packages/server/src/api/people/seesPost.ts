import { MintageError } from '@mintage/protocol';
import { type RawBuilder, sql } from 'kysely';

/** Whether lists show a post to everybody. */
export const isListed = sql<boolean>`post.parent_id is null and post.deleted_at is null and post.hidden_because is null`;

/** Whether neither of the post's author and the reader blocked the other. */
export const isSeenBy = (readerId: string | null): RawBuilder<boolean> =>
  readerId === null
    ? sql<boolean>`true`
    : sql<boolean>`not exists (select from user_block b where b.user_id = ${readerId} and b.blocked_id = post.author_id)
        and not exists (select from user_block b where b.user_id = post.author_id and b.blocked_id = ${readerId})`;

export const noPost = (): MintageError => new MintageError('POST_NOT_FOUND', 'There is no such post.');
