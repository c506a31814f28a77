import type { Eid } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Row } from '../../db/chainTables.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { Identified } from './identity.ts';
import { type Registration, registrationsOfToken } from './registrations.ts';

/** What lists of a user show of a token. */
export type TokenLine = Pick<
  Row<'token'>,
  'eid' | 'address' | 'token_id' | keyof Identified | 'name' | 'symbol' | 'price_usd18' | 'pool_id'
> & { slug: string; logo: string | null; registrations: Registration[] };

/** A token as other rows refer to it. */
export interface TokenPlace {
  eid: Eid;
  /** Its address. */
  token: string;
}

export const placeKey = ({ eid, token }: TokenPlace): string => `${eid} ${token}`;

/** The tokens with these keys, by `placeKey`. */
export const tokenLines = async (db: Db, places: readonly TokenPlace[]): Promise<Map<string, TokenLine>> => {
  if (places.length === 0) return new Map();
  const rows = await db
    .selectFrom('token')
    .innerJoin('token_slug', 'token_slug.token_id', 'token.token_id')
    .leftJoin('token_draft', 'token_draft.token_id', 'token.token_id')
    .select(['token.eid', 'token.address', 'token.token_id', 'token.platform_id', 'token.graduated_at'])
    .select(['token.name', 'token.symbol', 'token.price_usd18', 'token.pool_id', 'token_slug.slug', 'token_draft.logo'])
    .select(registrationsOfToken.as('registrations'))
    .where(isAmong('token.eid', 'token.address', places))
    .execute();
  return new Map(rows.map((row) => [placeKey({ eid: row.eid, token: row.address }), row]));
};

/** A condition on rows that name a token by these two columns. */
export const isAmong = (eid: string, address: string, places: readonly TokenPlace[]) =>
  sql<boolean>`(${sql.ref(eid)}, ${sql.ref(address)}) in (select * from unnest(
    ${places.map(({ eid }) => eid)}::bigint[], ${places.map(({ token }) => token)}::text[]))`;
