import { MintageError } from '@mintage/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import type { Caller } from '../accounts/caller.ts';

/** Whose eyes a read is for: what only a caller sees takes a credential that may read. */
export const readerOf = (caller: Caller | null): string | null =>
  caller?.scopes.includes('read') ? caller.userId : null;

/** Whether lists show a post to everybody. */
export const isListed = sql<boolean>`post.parent_id is null and post.deleted_at is null and post.hidden_because is null`;

/** Whether neither of the post's author and the reader blocked the other. */
export const isSeenBy = (readerId: string | null): RawBuilder<boolean> =>
  readerId === null
    ? sql<boolean>`true`
    : sql<boolean>`not exists (select from user_block b where b.user_id = ${readerId} and b.blocked_id = post.author_id)
        and not exists (select from user_block b where b.user_id = post.author_id and b.blocked_id = ${readerId})`;

export const isBlockedBetween = async (db: Db, one: string, other: string): Promise<boolean> => {
  const block = await db
    .selectFrom('user_block')
    .select('user_id')
    .where(({ or, and, eb }) =>
      or([
        and([eb('user_id', '=', one), eb('blocked_id', '=', other)]),
        and([eb('user_id', '=', other), eb('blocked_id', '=', one)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return block !== undefined;
};

export const noPost = (): MintageError => new MintageError('POST_NOT_FOUND', 'There is no such post.');
