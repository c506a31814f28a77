import type { Db } from '../../db/serviceTables.ts';
import { oneOf } from '../reads/oneOf.ts';

/** The launch posts of these tokens that everybody sees, by id of the token. */
export const launchIds = async (db: Db, tokenIds: readonly string[]): Promise<Map<string | null, string>> => {
  const rows = await db
    .selectFrom('post')
    .select(['post_id', 'token_id'])
    .where('type', '=', 'launch')
    .where(oneOf('token_id', tokenIds))
    .where('deleted_at', 'is', null)
    .where('hidden_because', 'is', null)
    .execute();
  return new Map(rows.map(({ post_id, token_id }) => [token_id, post_id]));
};

/** The posts that stay on top of the hubs of these tokens, by id of the token. One that is deleted or hidden is none of them. */
export const pinnedIds = async (db: Db, tokenIds: readonly string[]): Promise<Map<string | null, string>> => {
  const rows = await db
    .selectFrom('post')
    .select(['post_id', 'token_id'])
    .where('pinned', '=', true)
    .where(oneOf('token_id', tokenIds))
    .execute();
  return new Map(rows.map(({ post_id, token_id }) => [token_id, post_id]));
};
