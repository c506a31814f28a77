import { type RawBuilder, sql } from 'kysely';

/**
 * What no list shows: tokens that an operator took down. Every query that lists tokens, or what is said of them, has one of these
 * conditions; `test/api/people/takenDown.test.ts` asks all lists. `not in` reads the few of them once for each query and never changes
 * along which index a list is read.
 */
const isNotUnlisted = (place: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${place}) not in (select eid, address from unlisted_token)`;

/** Of `token`. */
export const isListedToken = isNotUnlisted(sql`token.eid, token.address`);

/** Of `token` joined with another table: here `not in` would count as half of the tokens, for which the other's index seems too long. */
export const isListedJoined = sql<boolean>`token.token_id <> all (array(select token_id from unlisted_token))`;

/** Of `token_window`. */
export const isListedWindow = isNotUnlisted(sql`token_window.eid, token_window.token`);

/** Of `post`: not one in the hub of such a token. */
export const isOfListedToken = sql<boolean>`(post.token_id is null or post.token_id not in (select token_id from unlisted_token))`;
