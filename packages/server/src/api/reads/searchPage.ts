import type { Warning } from '@mintage/protocol/operations';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import type { TokenPlace } from '../tokens/tokenPlace.ts';

/** What tokens are looked for by: all of it. */
export interface Sought {
  /** Part of a name, symbol or description; empty: any. */
  keyword: string;
  /** Ids of tokens that the keyword names, which are found beside those that have it in a text; null: it names none. */
  named: RawBuilder<unknown> | null;
  /** As in `token_search`. */
  labels: readonly string[];
  /** One of them, as the labels; absent: any. */
  anyLabel?: readonly string[] | undefined;
}

export const labelOf = {
  chain: (eid: number) => `c${eid}`,
  builder: (address: string) => `b${address}`,
  tag: (tag: string) => `t${tag}`,
} as const;

/** What one search may cost: docs/decisions/0092-search-at-a-million.md */
export interface SearchBounds {
  /** Rows that are read of the index of words. */
  candidates: number;
  /** Tokens that are put in order. */
  matches: number;
  /** Tokens that are looked at along an order. */
  walked: number;
  /** Tokens by which it is judged how often a part occurs. */
  sampled: number;
}

export const searchBounds: SearchBounds = { candidates: 3_000, matches: 1_200, walked: 1_200, sampled: 1_000 };

/** An order of tokens along an index: of `token`, or of a table with a row for each. */
export interface Walk {
  table: string;
  /** Of the table, as in the index. */
  columns: readonly (readonly [name: string, way: 'asc' | 'desc' | 'desc nulls last'])[];
  /** Its columns that tell which token a row is of. */
  token: { token_id: string } | { eid: string; address: string };
  /** What the index has alone. */
  where?: RawBuilder<boolean> | undefined;
}

export interface SearchedList {
  walk: Walk;
  /** Of `token`. */
  conditions: readonly RawBuilder<boolean>[];
  limit: number;
  offset: number;
}

export interface SearchedPage {
  /** One more than the limit where others follow. */
  rows: TokenPlace[];
  /** False: there may be others, which a search of this breadth does not reach. */
  isWhole: boolean;
}

/**
 * A page of the tokens that are sought, at a cost that is the same for any text and size of the market. Where some part of it is rare, all
 * that have this part are put in order. Where every part is common, it is looked for along the order, among the first.
 */
export const searchPage = async (
  db: Db,
  sought: Sought,
  list: SearchedList,
  bounds: SearchBounds = searchBounds,
): Promise<SearchedPage> => {
  const search = await planSearch(db, sought, bounds);
  const page = (found: RawBuilder<unknown>) => placesOf(found, list);
  // Both ways together cost no more than one.
  const walked = search.found === null ? bounds.walked : Math.ceil(bounds.walked / 2);
  if (search.found !== null) {
    const rows = await placesAmongFew(db, search.found, page, bounds.matches);
    if (rows !== null) return { rows, isWhole: true };
  }
  if (search.named !== null)
    return { rows: (await placesAmongFew(db, search.named, page, bounds.matches)) ?? [], isWhole: false };
  if (list.offset >= walked) return { rows: [], isWhole: false };
  const { rows } = await placesAlong(list, search.isSought, walked).execute(db);
  if (rows.length > list.limit) return { rows, isWhole: true };
  const longer = await sql<{ is: boolean }>`select ${isLonger(list.walk, walked)} as is`.execute(db);
  return { rows, isWhole: longer.rows[0]?.is === false };
};

/** Of what is found; null: more are found than are put in order. */
export const placesAmongFew = async <Row>(
  db: Db,
  found: RawBuilder<unknown>,
  page: (found: RawBuilder<unknown>) => RawBuilder<Row>,
  most: number,
): Promise<Row[] | null> => {
  const isFew = sql`(select count(*) from found) <= ${most}`;
  const { rows } = await sql<{ isFew: boolean; row: Row | null }>`
    with found as materialized (${found} limit ${most + 1})
    select ${isFew} as "isFew", to_jsonb(page) as row from (select) one
    left join lateral (${page(sql`(select token_id from found where ${isFew})`)}) page on true`.execute(db);
  return rows[0]?.isFew === true ? rows.flatMap(({ row }) => row ?? []) : null;
};

interface Search {
  /** The keyword as words are stored. */
  folded: string;
  /** The ids of all tokens that are sought, in no order; null: every part is too common. */
  found: RawBuilder<unknown> | null;
  /** The ids of those among them that the keyword names; null: it names none. */
  named: RawBuilder<unknown> | null;
  /** Whether a row of the order is of a token that is sought. */
  isSought(walk: Pick<Walk, 'token'>, alias: string): RawBuilder<boolean>;
  /** Whether one of `token` is among those that are sought or named. */
  isFound: RawBuilder<boolean>;
}

export const planSearch = async (
  db: Db,
  { keyword, labels, anyLabel, ...sought }: Sought,
  bounds: SearchBounds = searchBounds,
): Promise<Search> => {
  const { rows } = await sql<{ folded: string; tokens: number }>`
    select search_fold(${withoutSign(keyword)}) as folded, (case when reltuples > 0 then reltuples else pg_relation_size(oid) / ${leastRowBytes} end)::bigint as tokens
    from pg_class where oid = 'token_search'::regclass`.execute(db);
  const { folded = '', tokens = 0 } = rows[0] ?? {};
  const pattern = `%${folded.replace(/[\\%_]/g, '\\$&')}%`;
  const ofLabels = [
    ...(labels.length === 0 ? [] : [sql`labels @> ${[...labels]}::text[]`]),
    ...(anyLabel === undefined ? [] : [sql`labels && ${[...anyLabel]}::text[]`]),
  ];
  const conditions = sql.join([...(folded === '' ? [] : [sql`words like ${pattern}`]), ...ofLabels], sql` and `);
  const parts: Part[] = [
    ...spread(lettersOf(folded), mostJudged).map((letters) => ({
      occurs: sql`position(${letters} in words) > 0`,
      isTerm: sql`search_terms(words, labels) @> ${[letters]}::text[]`,
    })),
    ...labels.map((label) => ({
      occurs: sql`${label} = any(labels)`,
      isTerm: sql`search_terms(words, labels) @> ${[labelTerm(label)]}::text[]`,
    })),
    ...(anyLabel === undefined
      ? []
      : [
          {
            occurs: sql`labels && ${[...anyLabel]}::text[]`,
            isTerm: sql`search_terms(words, labels) && ${anyLabel.map(labelTerm)}::text[]`,
          },
        ]),
  ];
  const rarest = await rarestOf(db, { parts, conditions, tokens }, bounds);
  const terms = rarest && sql.join(rarest, sql` and `);
  const found = terms && sql`select token_id from token_search where ${terms} and ${conditions}`;
  const named =
    sought.named &&
    sql`select token_id from token_search where ${sql.join([sql`token_id in (${sought.named})`, ...ofLabels], sql` and `)}`;
  const isSought: Search['isSought'] = (walk, alias) =>
    sql`(select ${conditions} from token_search where ${isSameToken(walk, alias, 'token_search')})`;
  const isWithWords = isSought({ token: { token_id: 'token_id' } }, 'token');
  return {
    folded,
    named,
    found: found && named ? sql`${named} union ${found}` : found,
    isSought,
    isFound: named ? sql`(${isWithWords} or token.token_id in (${named}))` : isWithWords,
  };
};

/** Something that every token that is sought has. */
interface Part {
  /** In a row of `token_search`. */
  occurs: RawBuilder<unknown>;
  /** The same along the index of terms. */
  isTerm: RawBuilder<unknown>;
}

/**
 * The terms by which all that have them are found; null: even the rarest part is in more tokens than may be read, or more are sought than
 * are put in order.
 */
const rarestOf = async (
  db: Db,
  { parts, conditions, tokens }: { parts: readonly Part[]; conditions: RawBuilder<unknown>; tokens: number },
  { candidates, matches, sampled }: SearchBounds,
): Promise<RawBuilder<unknown>[] | null> => {
  if (tokens <= candidates) return parts.slice(0, mostTerms).map(({ isTerm }) => isTerm);
  // Ids are hashes, so the first of them are tokens of any age, chain and success.
  const { rows } = await sql<{ all: number; sought: number; each: number[] }>`
    select count(*) as "all", ${hits(conditions)} as sought, array[${sql.join(parts.map(({ occurs }) => hits(occurs)))}] as each
    from (select words, labels from token_search order by token_id limit ${sampled}) sample`.execute(db);
  const { all, sought, each } = rows[0] as { all: number; sought: number; each: number[] };
  const inAll = (hit: number) => (hit * tokens) / all;
  if (inAll(Math.min(...each)) > candidates || inAll(sought) > matches) return null;
  return parts
    .map(({ isTerm }, at) => ({ isTerm, hit: each[at] ?? 0 }))
    .toSorted((one, other) => one.hit - other.hit)
    .slice(0, mostTerms)
    .map(({ isTerm }) => isTerm);
};

const hits = (condition: RawBuilder<unknown>) => sql`count(*) filter (where ${condition})`;

/** Of a row of `token_search`, less than any has: until the database has counted the rows, they are taken for more than they are. */
const leastRowBytes = 100;
/** Reading a further list costs about as much as it spares. */
const mostTerms = 4;
const mostJudged = 12;

/** As in `search_terms`. */
const labelTerm = (label: string): string => `\u0002${label}`;

/** Three characters in a row, each once; of a shorter text itself. */
/** A person writes `$CAFE` or `#CAFE` for the ticker or tag CAFE. */
const withoutSign = (keyword: string): string => keyword.replace(/^\s*[$#](?=\S)/u, '');

const lettersOf = (folded: string): string[] => {
  const characters = [...folded];
  if (characters.length < 3) return folded === '' ? [] : [folded];
  return [...new Set(characters.slice(2).map((_, at) => characters.slice(at, at + 3).join('')))];
};

/** At most so many of them, from the first to the last. */
const spread = <T>(list: readonly T[], most: number): T[] =>
  list.length <= most
    ? [...list]
    : Array.from({ length: most }, (_, at) => list[Math.floor((at * (list.length - 1)) / (most - 1))] as T);

/** Of the tokens that are found, in order. */
const placesOf = (
  found: RawBuilder<unknown>,
  { walk, conditions, limit, offset }: SearchedList,
): RawBuilder<TokenPlace> => {
  const { table, where } = walk;
  const withTable = table === 'token' ? sql`` : sql`join ${sql.table(table)} on ${isSameToken(walk, table)}`;
  return sql`select token.eid, token.address as token from ${found} found join token using (token_id) ${withTable}
    where ${sql.join([...conditions, ...(where === undefined ? [] : [where])], sql` and `)}
    order by ${byOf(walk, table)} limit ${limit + 1} offset ${offset}`;
};

/** Of the first rows of the order. Those that are not sought are read of the index alone. */
const placesAlong = (
  { walk, conditions, limit, offset }: SearchedList,
  isSought: Search['isSought'],
  most: number,
): RawBuilder<TokenPlace> => {
  const { table, columns, token, where = sql`true` } = walk;
  const named = [...new Set([...Object.values(token), ...columns.map(([name]) => name)])].map((name) => sql.ref(name));
  return sql`select token.eid, token.address as token
    from (select ${sql.join(named)} from ${sql.table(table)} where ${where} order by ${byOf(walk, table)} limit ${most}) walked
    cross join lateral (select * from token where ${isSameToken(walk, 'walked')} offset 0) token
    where ${sql.join([isSought(walk, 'walked'), ...conditions], sql` and `)}
    order by ${byOf(walk, 'walked')} limit ${limit + 1} offset ${offset}`;
};

const byOf = ({ columns }: Walk, alias: string) =>
  sql.join(columns.map(([name, way]) => sql`${sql.ref(`${alias}.${name}`)} ${sql.raw(way)}`));

/** Whether a row of a table is of the same token as one of the order's. */
const isSameToken = ({ token }: Pick<Walk, 'token'>, alias: string, table = 'token'): RawBuilder<boolean> =>
  sql.join(
    Object.entries(token).map(([own, column]) => sql`${sql.ref(`${table}.${own}`)} = ${sql.ref(`${alias}.${column}`)}`),
    sql` and `,
  );

/** Whether an order has more rows than these. */
const isLonger = ({ table, where = sql`true` }: Walk, than: number): RawBuilder<boolean> =>
  sql`exists (select from ${sql.table(table)} where ${where} offset ${than} limit 1)`;

/** What an answer says where a search did not reach all that may match. */
export const searchWarnings = (isWhole: boolean): { warnings?: Warning[] } =>
  isWhole ? {} : { warnings: [{ code: 'SEARCH_LIMITED', sentence: limited }] };

const limited =
  'Too many tokens match to look at all of them. The list has those among the first of this order; a longer keyword or a further ' +
  'filter finds the rest.';
