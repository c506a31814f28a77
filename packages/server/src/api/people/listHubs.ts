import type { hubOrders } from '@mintage/protocol/operations';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../accounts/caller.ts';
import { namedBy, type TokenPage } from '../reads/listTokens.ts';
import { oneOf } from '../reads/oneOf.ts';
import { planSearch, type SearchedPage, searchPage, type Walk } from '../reads/searchPage.ts';
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

/** The index of an order. */
const walks: Record<HubFilter['order'], Walk> = {
  members: ofHubs(['members_count', 'desc']),
  posts: ofHubs(['posts_count', 'desc'], ['created_at', 'desc']),
  activity: ofHubs(['last_post_at', 'desc nulls last']),
  created_at: { ...ofHubs(['created_at', 'desc']), table: 'token' },
};

function ofHubs(...columns: Walk['columns'][number][]): Walk {
  return { table: 'hub', columns: [...columns, ['token_id', 'asc']], token: { token_id: 'token_id' } };
}

/** The tokens of a page of hubs, highest or newest first, found along the index of the order unless they are of one user. */
export const listHubs = async (
  context: Reading,
  filter: HubFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<TokenPage> => {
  const { rows, isWhole } = await pageOfHubs(context, filter, { limit, offset });
  return { listed: rows.slice(0, limit), hasMore: rows.length > limit, isWhole };
};

const pageOfHubs = async (
  context: Reading,
  filter: HubFilter,
  cut: { limit: number; offset: number },
): Promise<SearchedPage> => {
  const { db } = context;
  const { order, of, keyword = '' } = filter;
  const sought = { keyword, named: namedBy(keyword), labels: [] };
  if (keyword !== '' && of === null) {
    const conditions = [oneOf('token.eid', eidsOf(context)), isListedJoined];
    return searchPage(db, sought, { walk: walks[order], conditions, ...cut });
  }
  // Those of one user are few.
  const asked = keyword === '' ? [] : [(await planSearch(db, sought)).isFound];
  const { rows } = await hubsQuery(context, { order, of }, cut, asked).execute(db);
  return { rows, isWhole: true };
};

const eidsOf = (context: Reading): number[] => [...servedChains(context).keys()];

export const hubsQuery = (
  context: Reading,
  { order, of }: Omit<HubFilter, 'keyword'>,
  { limit, offset }: { limit: number; offset: number },
  asked: readonly RawBuilder<boolean>[] = [],
): RawBuilder<TokenPlace> => {
  const eids = eidsOf(context);
  const conditions: RawBuilder<boolean>[] = [oneOf('token.eid', eids), isListedJoined, ...asked];
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
