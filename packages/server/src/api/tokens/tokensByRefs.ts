import { tokenIdOf } from '@mintage/protocol';
import { type RawBuilder, sql } from 'kysely';
import { addressOfRef, isPlatformId, isUuid, mayBeSlug } from './tokenRef.ts';

/**
 * The tokens that a list of TokenRefs refers to, as a query of `place` (in the list, from 1), `eid` and `address`: by the rules of
 * `findToken`, each along an index. References of no token have no row.
 */
export const tokensByRefs = (refs: readonly string[]): RawBuilder<unknown> => {
  const read = refs.map(readRef);
  return sql`
    select asked.place, token.eid, token.address
    from unnest(
      ${read.map(({ tokenId }) => tokenId)}::uuid[], ${read.map(({ platformId }) => platformId)}::text[],
      ${read.map(({ address }) => address)}::text[], ${read.map(({ slug }) => slug)}::text[]
    ) with ordinality as asked (token_id, platform_id, address, slug, place)
    cross join lateral (select coalesce(
      asked.token_id,
      (select token_id from token
        where token.eid in (select eid from chain) and token.address = asked.address
        order by created_at limit 1),
      (select token_id from token_slug where token_slug.slug = asked.slug)
    ) as token_id) meant
    join token on token.token_id = meant.token_id
    where asked.platform_id is null or token.platform_id = asked.platform_id`;
};

/** What a reference may mean, by its form. */
interface ReadRef {
  tokenId: string | null;
  /** The token with `tokenId` must have it. */
  platformId: string | null;
  address: string | null;
  slug: string | null;
}

const readRef = (tokenRef: string): ReadRef => {
  const none: ReadRef = { tokenId: null, platformId: null, address: null, slug: null };
  const typed = tokenRef.trim();
  const ref = typed.toLowerCase();
  if (isUuid(ref)) return { ...none, tokenId: ref };
  if (isPlatformId(ref)) return { ...none, tokenId: tokenIdOf(ref), platformId: ref };
  const address = addressOfRef(typed);
  return { ...none, address, slug: address === null || mayBeSlug(address) ? ref : null };
};
