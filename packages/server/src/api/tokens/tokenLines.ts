import type { Row } from '../../db/chainTables.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { Identified } from './identity.ts';
import { type Registration, readRegistrations } from './registrations.ts';
import { isAmong, placeKey, type TokenPlace } from './tokenPlace.ts';

/** What lists of a user show of a token. */
export type TokenLine = Pick<
  Row<'token'>,
  'eid' | 'address' | 'token_id' | keyof Identified | 'name' | 'symbol' | 'price_usd18' | 'pool_id'
> & { slug: string; logo: string | null; registrations: Registration[] };

/** The tokens with these keys, by `placeKey`. */
export const tokenLines = async (db: Db, places: readonly TokenPlace[]): Promise<Map<string, TokenLine>> => {
  if (places.length === 0) return new Map();
  const lines = db
    .selectFrom('token')
    .innerJoin('token_slug', 'token_slug.token_id', 'token.token_id')
    .leftJoin('token_draft', 'token_draft.token_id', 'token.token_id')
    .select(['token.eid', 'token.address', 'token.token_id', 'token.platform_id', 'token.graduated_at'])
    .select(['token.name', 'token.symbol', 'token.price_usd18', 'token.pool_id', 'token_slug.slug', 'token_draft.logo'])
    .where(isAmong('token.eid', 'token.address', places));
  const [rows, registrationsOf] = await Promise.all([prepared(db, lines), readRegistrations(db, places)]);
  return new Map(
    rows.map((row) => [
      placeKey({ eid: row.eid, token: row.address }),
      { ...row, registrations: registrationsOf(row) },
    ]),
  );
};
