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
  searchForms,
  selectListed,
} from '../tokens/tokenRef.ts';
import { oneOf } from './oneOf.ts';
import { recentCount } from './recentCount.ts';
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
}

/** Sort columns that have an index, with the remaining columns of that index as tie-break. */
const orders: Record<Exclude<TokenOrder, 'posts'>, { column: string; ties: readonly string[] }> = {
  created_at: { column: 'token.created_at', ties: ['token.token_id'] },
  market_cap: { column: 'token.price_usd18', ties: ['token.token_id'] },
  trx: { column: 'token.trades', ties: ['token.token_id'] },
  holders: { column: 'token.holders', ties: ['token.token_id'] },
  progress: { column: 'token.progress_pct18', ties: ['token.token_id'] },
  graduated_at: { column: 'token.graduated_at', ties: ['token.token_id'] },
  volume_1m: windowed('volume_usd18_1m'),
  volume_5m: windowed('volume_usd18_5m'),
  volume_1h: windowed('volume_usd18_1h'),
  volume_24h: windowed('volume_usd18_24h'),
  price_change_24h: windowed('price_change_usd18_24h'),
};

function windowed(figure: WindowFigure) {
  return { column: `token_window.${figure}`, ties: ['token_window.eid', 'token_window.token'] };
}

/**
 * One page of the indexed tokens of the served chains, found along the index of the order; `showTokens` reads what is shown of
 * them. An order by a window lists only tokens whose windows are computed.
 */
export const listTokens = async (
  context: Reading,
  filter: TokenFilter,
  { order, ascending }: { order: TokenOrder; ascending: boolean },
  { limit, offset }: { limit: number; offset: number },
): Promise<TokenPage> => {
  const eids = [...servedChains(context, filter.chains).keys()];
  const conditions = conditionsOf(context, filter);
  const ofTokens = [oneOf('token.eid', eids), ...unlessNamed(filter, isListedToken)];
  if (order === 'posts') return mostPosts(context, [...ofTokens, ...conditions], { limit, offset });
  const { column, ties } = orders[order];
  if (order === 'graduated_at') conditions.push(sql<boolean>`token.graduated_at is not null`);
  // Ties are sorted opposite to the column, as in the indexes, so that one index serves both directions.
  const by = sql.join([
    sql`${sql.ref(column)} ${sql.raw(ascending ? 'asc' : 'desc')}`,
    ...ties.map((tie) => sql`${sql.ref(tie)} ${sql.raw(ascending ? 'desc' : 'asc')}`),
  ]);
  const cut = sql`order by ${by} limit ${limit + 1} offset ${offset}`;
  const page = column.startsWith('token_window.')
    ? fromWindows([oneOf('token_window.eid', eids), ...unlessNamed(filter, isListedWindow)], conditions, cut)
    : fromTokens([...ofTokens, ...conditions], cut);
  const { rows } = await page.execute(context.db);
  return { listed: rows.slice(0, limit), hasMore: rows.length > limit };
};

/** By posts in their hubs, then the newest; tokens of which nobody has spoken come after them. Both parts lie along an index. */
const mostPosts = async (
  { db }: Reading,
  conditions: readonly RawBuilder<boolean>[],
  { limit, offset }: { limit: number; offset: number },
): Promise<TokenPage> => {
  const spoken = sql`hub join token on token.token_id = hub.token_id where ${all(conditions)}`;
  const { rows: first } = await sql<TokenPlace>`select token.eid, token.address as token from ${spoken}
    order by hub.posts_count desc, hub.created_at desc, hub.token_id limit ${limit + 1} offset ${offset}`.execute(db);
  const missing = limit + 1 - first.length;
  if (missing === 0) return { listed: first.slice(0, limit), hasMore: true };
  const skipped = first.length > 0 ? 0 : offset - (await countUpTo(db, spoken, offset));
  const { rows: rest } = await sql<TokenPlace>`select token.eid, token.address as token from token
    where ${all(conditions)} and not exists (select from hub where hub.token_id = token.token_id)
    order by token.created_at desc, token.token_id limit ${missing} offset ${skipped}`.execute(db);
  const rows = [...first, ...rest];
  return { listed: rows.slice(0, limit), hasMore: rows.length > limit };
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
  const eids = [...servedChains(context).keys()];
  const conditions = [oneOf('token.eid', eids), isListedToken, ...conditionsOf(context, { hashtags, verifiedOnly })];
  const count = async (): Promise<number> => {
    const { rows } = await sql<{ total: string }>`
      select count(*) as total from token where ${sql.join(conditions, sql` and `)}`.execute(context.db);
    return Number(rows[0]?.total ?? 0);
  };
  // Counts by tag use an index and are not cached, because anyone may ask for any tag.
  return hashtags.length > 0 ? count() : recentCount(context.db, `tokens ${verifiedOnly} ${eids.join(' ')}`, count);
};

const conditionsOf = (
  context: Reading,
  { hashtags = [], keyword = '', builder, creators, stage, ids, verifiedOnly = false }: TokenFilter,
): RawBuilder<boolean>[] => {
  const conditions: RawBuilder<boolean>[] = [];
  // Every indexed token is on chain and so verified, unless verification waits for graduation.
  if (verifiedOnly && context.config.verifiedAt === 'graduation') conditions.push(sql`token.graduated_at is not null`);
  if (creators !== undefined) conditions.push(oneOf('token.creator', creators));
  if (stage !== undefined) conditions.push(sql`token.stage = ${stage}`);
  if (ids !== undefined) conditions.push(oneOf('token.token_id', ids));
  if (hashtags.length > 0) conditions.push(drafted(sql`tags @> ${[...hashtags]}::text[]`));
  if (builder !== undefined) conditions.push(drafted(sql`builder = ${anyAddress(context, builder, 'builder_code')}`));
  if (keyword !== '') conditions.push(isNamed(keyword));
  return conditions;
};

/** Whether a token matches a keyword: `TokenFilter`. */
export const isNamed = (keyword: string): RawBuilder<boolean> =>
  sql`token.token_id in (${sql.join(named(keyword), sql` union all `)})`;

/**
 * Queries for the tokens that match a keyword. Each uses an index of its own, as far as the keyword has three letters
 * in a row.
 */
const named = (typed: string): RawBuilder<unknown>[] => {
  const keyword = typed.toLowerCase();
  const address = addressOfRef(typed);
  const parts = searchForms(typed).map((text) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`);
  return [
    ...parts.flatMap((part) => [
      sql`select token_id from token where lower(name) like ${part} or lower(symbol) like ${part}`,
      sql`select token_id from token_draft where lower(description) like ${part}`,
    ]),
    ...(isPlatformId(keyword)
      ? [sql`select token_id from token where token_id = ${tokenIdOf(keyword)} and platform_id = ${keyword}`]
      : []),
    ...(address === null
      ? []
      : [sql`select token_id from token where eid in (select eid from chain) and address = ${address}`]),
  ];
};

/** A condition on the draft: what the creator told this service. */
const drafted = (condition: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`token.token_id in (select token_id from token_draft where ${condition})`;
