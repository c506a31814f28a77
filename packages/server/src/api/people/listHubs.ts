import type { hubOrders } from '@mintage/protocol/operations';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../accounts/caller.ts';
import { isNamed, type TokenPage } from '../reads/listTokens.ts';
import { oneOf } from '../reads/oneOf.ts';
import { isListedJoined } from '../tokens/listedTokens.ts';
import type { Reading } from '../tokens/reading.ts';
import { servedChains } from '../tokens/servedChains.ts';
import type { TokenPlace } from '../tokens/tokenPlace.ts';

export interface HubFilter {
  order: (typeof hubOrders)[number];
  /** Whose hubs; null: everybody's. */
  of: Caller | null;
  /** As of lists of tokens. */
  keyword: string | undefined;
}

const columns: Record<HubFilter['order'], string> = {
  members: 'hub.members_count',
  posts: 'hub.posts_count',
  activity: 'hub.last_post_at',
  created_at: 'token.created_at',
};

/** The tokens of a page of hubs, highest or newest first, found along the index of the order unless they are of one user. */
export const listHubs = async (
  context: Reading,
  { order, of, keyword = '' }: HubFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<TokenPage> => {
  const { rows } = await hubsQuery(context, { order, of, keyword }, { limit, offset }).execute(context.db);
  return { listed: rows.slice(0, limit), hasMore: rows.length > limit };
};

export const hubsQuery = (
  context: Reading,
  { order, of, keyword = '' }: HubFilter,
  { limit, offset }: { limit: number; offset: number },
): RawBuilder<TokenPlace> => {
  const eids = [...servedChains(context).keys()];
  const conditions: RawBuilder<boolean>[] = [oneOf('token.eid', eids), isListedJoined];
  if (keyword !== '') conditions.push(isNamed(keyword));
  if (of !== null) conditions.push(isOf(of, eids));
  // A hub in which nothing was done yet has no row, and is listed among one's own all the same.
  const from =
    order === 'created_at'
      ? sql`token`
      : of === null
        ? sql`hub join token on token.token_id = hub.token_id`
        : sql`token left join hub on hub.token_id = token.token_id`;
  const nullsLast = order === 'activity' || of !== null ? sql`nulls last` : sql``;
  return sql`
    select token.eid, token.address as token from ${from}
    where ${sql.join(conditions, sql` and `)}
    order by ${sql.ref(columns[order])} desc ${nullsLast}, ${order === 'posts' ? sql`hub.created_at desc,` : sql``} token.token_id
    limit ${limit + 1} offset ${offset}`;
};

/** Whether a user joined or owns the hub. */
const isOf = ({ userId, wallets }: Caller, eids: readonly number[]): RawBuilder<boolean> => sql`token.token_id in (
  select token_id from hub_member where user_id = ${userId}
  union all
  select token_id from token where ${oneOf('eid', eids)} and ${oneOf('creator', wallets)})`;
