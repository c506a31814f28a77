import type { Eid } from '@mintage/protocol';
import { sql } from 'kysely';

/** A token as other rows refer to it. */
export interface TokenPlace {
  eid: Eid;
  /** Its address. */
  token: string;
}

export const placeKey = ({ eid, token }: TokenPlace): string => `${eid} ${token}`;

/** A condition on rows that name a token by these two columns. */
export const isAmong = (eid: string, address: string, places: readonly TokenPlace[]) =>
  sql<boolean>`(${sql.ref(eid)}, ${sql.ref(address)}) in (select * from unnest(
    ${places.map(({ eid }) => eid)}::bigint[], ${places.map(({ token }) => token)}::text[]))`;
