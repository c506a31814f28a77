import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import { isListedToken } from '../tokens/listedTokens.ts';
import { findToken, isExact, type KnownToken } from '../tokens/tokenRef.ts';
import { placesAmongFew, planSearch, searchBounds } from './searchPage.ts';

/**
 * The best match for what a person typed: a TokenRef, else a symbol or a whole name, else the start or any part of a
 * name. Among equals the token with most holders, then the oldest. One that was taken down is found by its id and address alone.
 * Of a text that is in very many names the best is of those that have it as their symbol or name and of the tokens with most holders.
 */
export const searchTokens = async (db: Db, typed: string): Promise<KnownToken | null> => {
  const named = await findToken(db, typed);
  if (named !== null && (named.unlisted_because === null || isExact(typed))) return named;
  const text = typed.trim();
  if (text === '') return null;
  const { found, folded } = await planSearch(db, { keyword: text, named: null, labels: [] });
  const best = bestOf(folded);
  const few = found && (await placesAmongFew(db, found, best, searchBounds.matches));
  const [place] = few ?? (await best(amongMany(folded)).execute(db)).rows;
  return place === undefined ? null : findToken(db, place.token_id);
};

/** Of tokens in a relation with `token_id`. */
const bestOf = (folded: string) => {
  const part = folded.replace(/[\\%_]/g, '\\$&');
  const ofName = sql`when folded.name like ${`${part}%`} then 2 when folded.name like ${`%${part}%`} then 3`;
  const rank = sql`case when folded.symbol = ${folded} then 0 when folded.name = ${folded} then 1
    ${[...folded].length < 2 ? sql`` : ofName} end`;
  return (found: RawBuilder<unknown>) => sql<{ token_id: string }>`
    select token.token_id from ${found} found join token using (token_id)
    cross join lateral (select search_fold(token.name) as name, search_fold(token.symbol) as symbol offset 0) folded
    cross join lateral (select ${rank} as rank offset 0) ranked
    where rank is not null and ${isListedToken} order by rank, token.holders desc, token.created_at, token.token_id limit 1`;
};

const amongMany = (folded: string) => {
  const equal = (column: 'symbol' | 'name') =>
    sql`(select token_id from token where lower(${sql.ref(column)}) = ${folded} limit ${mostEqual})`;
  return sql`(${equal('symbol')} union ${equal('name')} union
    (select token_id from token order by holders desc, token_id limit ${searchBounds.walked}))`;
};

/** Of a symbol or name of which there are more, one with many holders is among the first of all tokens. */
const mostEqual = 200;
