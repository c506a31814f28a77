import { type Address, tokenIdOf } from '@mintage/protocol';
import type { tokenOrders } from '@mintage/protocol/operations';
import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { anyAddress } from '../tokens/addresses.ts';
import { isListedToken, isListedWindow } from '../tokens/listedTokens.ts';
import type { Reading } from '../tokens/reading.ts';
import { readRegistrations } from '../tokens/registrations.ts';
import { servedChains } from '../tokens/servedChains.ts';
import { isAmong, placeKey, type TokenPlace } from '../tokens/tokenPlace.ts';
import {
  addressOfRef,
  isExact,
  isPlatformId,
  type KnownToken,
  type ListedToken,
  selectListed,
} from '../tokens/tokenRef.ts';
import { oneOf } from './oneOf.ts';
import { recentCount } from './recentCount.ts';
import {
  labelOf,
  planSearch,
  type SearchBounds,
  type SearchedPage,
  type Sought,
  searchBounds,
  searchPage,
  type Walk,
} from './searchPage.ts';
import type { WindowFigure } from './windows.ts';

export type TokenOrder = (typeof tokenOrders)[number] | 'progress' | 'graduated_at' | 'posts';

export interface TokenFilter {
  /** Tags that a token must have, all of them. */
  hashtags?: readonly string[] | undefined;
  /** Part of a name, symbol or description in any case, or a platform id or contract address. */
  keyword?: string | undefined;
  /** Slugs; absent or empty: every served chain. */
  chains?: readonly string[] | undefined;
  /** Address of the builder that the creator named. */
  builder?: string | undefined;
  /** Only tokens that one of these wallets created. */
  creators?: readonly Address[] | undefined;
  stage?: KnownToken['stage'] | undefined;
  /** Only these, also those that no other list shows. */
  ids?: readonly string[] | undefined;
  /** Only tokens that are shown with their platform id. */
  verifiedOnly?: boolean | undefined;
}

export interface TokenPage {
  listed: TokenPlace[];
  hasMore: boolean;
  /** False: others may match, which the search did not reach. */
  isWhole: boolean;
}

interface IndexedOrder {
  table: 'token' | 'token_window';
  column: string;
  token: Walk['token'];
}

const byId = (column: string): IndexedOrder => ({ table: 'token', column, token: { token_id: 'token_id' } });

const byWindow = (column: WindowFigure): IndexedOrder => ({
  table: 'token_window',
  column,
  token: { eid: 'eid', address: 'token' },
});

/** Sort columns that have an index; the remaining columns of that index are the tie-break, and name the token. */
const orders: Record<Exclude<TokenOrder, 'posts'>, IndexedOrder> = {
  created_at: byId('created_at'),
  market_cap: byId('price_usd18'),
  trx: byId('trades'),
  holders: byId('holders'),
  progress: byId('progress_pct18'),
  graduated_at: byId('graduated_at'),
  volume_1m: byWindow('volume_usd18_1m'),
  volume_5m: byWindow('volume_usd18_5m'),
  volume_1h: byWindow('volume_usd18_1h'),
  volume_24h: byWindow('volume_usd18_24h'),
  price_change_24h: byWindow('price_change_usd18_24h'),
};

/**
 * One page of the indexed tokens of the served chains, found along the index of the order; `showTokens` reads what is shown of
 * them. An order by a window lists only tokens whose windows are computed.
 */
export const listTokens = async (
  context: Reading,
  filter: TokenFilter,
  order: Ordered,
  { limit, offset }: Cut,
  bounds = searchBounds,
): Promise<TokenPage> => {
  const sought = soughtBy(context, filter);
  const { rows, isWhole } = await (sought === null
    ? wholeList(context, filter, order, { limit, offset })
    : searchedList(context, { filter, sought, bounds }, order, { limit, offset }));
  return { listed: rows.slice(0, limit), hasMore: rows.length > limit, isWhole };
};

interface Ordered {
  order: TokenOrder;
  ascending: boolean;
}

interface Cut {
  limit: number;
  offset: number;
}

const wholeList = async (context: Reading, filter: TokenFilter, { order, ascending }: Ordered, cut: Cut) => {
  const eids = [...servedChains(context, filter.chains).keys()];
  const conditions = conditionsOf(context, filter);
  const ofTokens = [oneOf('token.eid', eids), ...unlessNamed(filter, isListedToken)];
  if (order === 'posts') return { rows: await mostPosts(context, [...ofTokens, ...conditions], cut), isWhole: true };
  const { table, columns, where } = walkOf(order, ascending, filter);
  if (where !== undefined) conditions.push(where);
  const by = sql.join(columns.map(([name, way]) => sql`${sql.ref(`${table}.${name}`)} ${sql.raw(way)}`));
  const part = sql`order by ${by} limit ${cut.limit + 1} offset ${cut.offset}`;
  const page =
    table === 'token_window'
      ? fromWindows([oneOf('token_window.eid', eids), ...unlessNamed(filter, isListedWindow)], conditions, part)
      : fromTokens([...ofTokens, ...conditions], part);
  return { rows: (await page.execute(context.db)).rows, isWhole: true };
};

const searchedList = async (
  context: Reading,
  { filter, sought, bounds }: { filter: TokenFilter; sought: Sought; bounds: SearchBounds },
  { order, ascending }: Ordered,
  { limit, offset }: Cut,
): Promise<SearchedPage> => {
  const eids = [...servedChains(context, filter.chains).keys()];
  const conditions = [
    oneOf('token.eid', eids),
    ...unlessNamed(filter, isListedToken),
    ...conditionsOf(context, filter),
  ];
  const searched = (walk: Walk, cut: Cut, more: readonly RawBuilder<boolean>[] = []) =>
    searchPage(context.db, sought, { walk, conditions: [...conditions, ...more], ...cut }, bounds);
  if (order !== 'posts') return searched(walkOf(order, ascending, filter), { limit, offset });
  const whole = { limit: offset + limit, offset: 0 };
  const spoken = await searched(ofHubs, whole);
  if (spoken.rows.length > whole.limit) return { ...spoken, rows: spoken.rows.slice(offset) };
  const others = await searched(walkOf('created_at', false, {}), whole, [isUnspoken]);
  return {
    rows: [...spoken.rows, ...others.rows].slice(offset, whole.limit + 1),
    isWhole: spoken.isWhole && others.isWhole,
  };
};

/** The index of an order. Ties are sorted opposite to the column there, so that one index serves both directions. */
const walkOf = (order: Exclude<TokenOrder, 'posts'>, ascending: boolean, { stage }: TokenFilter): Walk => {
  const { table, column, token } = orders[order];
  const ties = Object.values(token);
  const [way, ofTies] = ascending ? (['asc', 'desc'] as const) : (['desc', 'asc'] as const);
  const columns = [[column, way] as const, ...ties.map((tie) => [tie, ofTies] as const)];
  const where =
    order === 'graduated_at'
      ? sql<boolean>`graduated_at is not null`
      : order === 'progress' && stage !== undefined
        ? sql<boolean>`stage = ${stage}`
        : undefined;
  return { table, columns, token, where };
};

const ofHubs: Walk = {
  table: 'hub',
  columns: [
    ['posts_count', 'desc'],
    ['created_at', 'desc'],
    ['token_id', 'asc'],
  ],
  token: { token_id: 'token_id' },
};

const isUnspoken = sql<boolean>`not exists (select from hub where hub.token_id = token.token_id)`;

/** By posts in their hubs, then the newest; tokens of which nobody has spoken come after them. Both parts lie along an index. */
const mostPosts = async (
  { db }: Reading,
  conditions: readonly RawBuilder<boolean>[],
  { limit, offset }: Cut,
): Promise<TokenPlace[]> => {
  const spoken = sql`hub join token on token.token_id = hub.token_id where ${all(conditions)}`;
  const { rows: first } = await sql<TokenPlace>`select token.eid, token.address as token from ${spoken}
    order by hub.posts_count desc, hub.created_at desc, hub.token_id limit ${limit + 1} offset ${offset}`.execute(db);
  const missing = limit + 1 - first.length;
  if (missing === 0) return first;
  const skipped = first.length > 0 ? 0 : offset - (await countUpTo(db, spoken, offset));
  const { rows: rest } = await sql<TokenPlace>`select token.eid, token.address as token from token
    where ${all([...conditions, isUnspoken])}
    order by token.created_at desc, token.token_id limit ${missing} offset ${skipped}`.execute(db);
  return [...first, ...rest];
};

const countUpTo = async (db: Reading['db'], from: RawBuilder<unknown>, most: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) from (select from ${from} limit ${most}) found`.execute(
    db,
  );
  return Number(rows[0]?.count);
};

const fromTokens = (conditions: readonly RawBuilder<boolean>[], cut: RawBuilder<unknown>): RawBuilder<TokenPlace> =>
  sql`select token.eid, token.address as token from token where ${all(conditions)} ${cut}`;

/** The tokens themselves are read only where something is asked of them. */
const fromWindows = (
  ofWindows: readonly RawBuilder<boolean>[],
  conditions: readonly RawBuilder<boolean>[],
  cut: RawBuilder<unknown>,
): RawBuilder<TokenPlace> => {
  const token = sql`join token on token.eid = token_window.eid and token.address = token_window.token`;
  return sql`select token_window.eid, token_window.token from token_window ${conditions.length > 0 ? token : sql``}
    where ${all([...ofWindows, ...conditions])} ${cut}`;
};

/** A token that was taken down is shown where its id or address is asked for. */
const unlessNamed = ({ ids, keyword = '' }: TokenFilter, isListed: RawBuilder<boolean>): RawBuilder<boolean>[] =>
  ids !== undefined || isExact(keyword) ? [] : [isListed];

const all = (conditions: readonly RawBuilder<boolean>[]) => sql.join(conditions, sql` and `);

/** What lists show of these tokens, in their order. A token that a reorg has removed since is left out. */
export const showTokens = async (db: Reading['db'], listed: readonly TokenPlace[]): Promise<ListedToken[]> => {
  const [found, registrationsOf] = await Promise.all([
    prepared(db, selectListed(db).where(isAmong('token.eid', 'token.address', listed))),
    readRegistrations(db, listed),
  ]);
  const byPlace = new Map(
    found.map((token) => [
      placeKey({ eid: token.eid, token: token.address }),
      { ...token, registrations: registrationsOf(token) },
    ]),
  );
  return listed.flatMap((place) => byPlace.get(placeKey(place)) ?? []);
};

/** How many tokens a list with this filter has on all its pages. */
export const countTokens = async (
  context: Reading,
  { hashtags = [], verifiedOnly = false }: Pick<TokenFilter, 'hashtags' | 'verifiedOnly'>,
) => {
  const { db } = context;
  const eids = [...servedChains(context).keys()];
  const conditions = [oneOf('token.eid', eids), isListedToken, ...conditionsOf(context, { verifiedOnly })];
  const sought = soughtBy(context, { hashtags });
  const search = sought && (await planSearch(db, sought));
  const from = search?.found ? sql`(${search.found}) found join token using (token_id)` : sql`token`;
  if (search !== null && search.found === null) conditions.push(search.isFound);
  const count = async (): Promise<number> => {
    const { rows } = await sql<{ total: string }>`
      select count(*) as total from ${from} where ${all(conditions)}`.execute(db);
    return Number(rows[0]?.total ?? 0);
  };
  // Anyone may ask for any tag, but only few tags are on many tokens.
  if (search?.found) return count();
  return recentCount(db, `tokens ${verifiedOnly} ${eids.join(' ')} ${hashtags.join(' ')}`, count);
};

/** What is asked of the token itself, without that by which it is sought. */
const conditionsOf = (
  { config }: Reading,
  { creators, stage, ids, verifiedOnly = false }: TokenFilter,
): RawBuilder<boolean>[] => {
  const conditions: RawBuilder<boolean>[] = [];
  // Every indexed token is on chain and so verified, unless verification waits for graduation.
  if (verifiedOnly && config.verifiedAt === 'graduation') conditions.push(sql`token.graduated_at is not null`);
  if (creators !== undefined) conditions.push(oneOf('token.creator', creators));
  if (stage !== undefined) conditions.push(sql`token.stage = ${stage}`);
  if (ids !== undefined) conditions.push(oneOf('token.token_id', ids));
  return conditions;
};

/** Null: by nothing. */
const soughtBy = (
  context: Reading,
  { hashtags = [], keyword = '', builder, chains = [] }: TokenFilter,
): Sought | null => {
  const labels = hashtags.map(labelOf.tag);
  if (builder !== undefined) labels.push(labelOf.builder(anyAddress(context, builder, 'builder_code')));
  if (keyword === '' && labels.length === 0) return null;
  const anyLabel = chains.length === 0 ? undefined : [...servedChains(context, chains).keys()].map(labelOf.chain);
  return { keyword, named: namedBy(keyword), labels, anyLabel };
};

/** The tokens whose platform id or address a keyword is; null: it is neither. */
export const namedBy = (typed: string): RawBuilder<unknown> | null => {
  const keyword = typed.toLowerCase();
  if (isPlatformId(keyword))
    return sql`select token_id from token where token_id = ${tokenIdOf(keyword)} and platform_id = ${keyword}`;
  const address = addressOfRef(typed);
  return address && sql`select token_id from token where eid in (select eid from chain) and address = ${address}`;
};
