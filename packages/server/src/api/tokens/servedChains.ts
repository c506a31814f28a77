import { type ChainType, chainByEid, chainSlugs, chainTypeOf, type Eid, nearestSlug } from '@mintage/protocol';
import type { Warning } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Reading } from './reading.ts';

/**
 * The chains a read covers, by eid: all configured ones, or those of the caller's list. A slug that is not
 * configured here matches nothing; an absent or empty list means all.
 */
export const servedChains = ({ chains }: Reading, slugs?: readonly string[]): ReadonlyMap<Eid, ChainContext> => {
  const wanted = new Set(slugs?.map(slugOf));
  const covered = [...chains.values()].filter(({ chain }) => wanted.size === 0 || wanted.has(chain.slug));
  return new Map(covered.map((served) => [served.chain.eid, served]));
};

const slugOf = (written: string): string => (written === 'opbnb' ? 'op-bnb' : written.toLowerCase());

/** `warnings` of a read by such a list, when some of it matches nothing: each with the slug and what it may have meant. */
export const chainWarnings = (
  { chains }: Pick<Reading, 'chains'>,
  slugs: readonly string[] = [],
): { warnings?: Warning[] } => {
  const unserved = [...new Set(slugs)].filter((slug) => !chains.has(slugOf(slug)));
  return unserved.length === 0 ? {} : { warnings: unserved.map(unservedWarning) };
};

const unservedWarning = (written: string): Warning => {
  if ((chainSlugs as readonly string[]).includes(slugOf(written)))
    return {
      code: 'CHAIN_NOT_SERVED',
      sentence: `This service does not serve ${written}; GET /chains lists the chains that it serves.`,
    };
  const nearest = nearestSlug(written);
  const meant = nearest === null ? 'GET /chains lists them' : `did you mean ${nearest}?`;
  return { code: 'CHAIN_UNKNOWN', sentence: `“${written}” is not a chain slug: ${meant}` };
};

/** The types of these chains. */
export const chainTypesOf = (chains: Iterable<Pick<ChainContext, 'chain'>>): ReadonlySet<ChainType> =>
  new Set(Array.from(chains, ({ chain }) => chainTypeOf(chain)));

/** In the order of EIP-155 ids, which callers know; chains without one come last. To be used where answers list chains. */
export const byChainId = (one: { eid: Eid }, other: { eid: Eid }): number => chainIdOf(one.eid) - chainIdOf(other.eid);

const chainIdOf = (eid: Eid): number => chainByEid(eid)?.chainId ?? Number.MAX_SAFE_INTEGER;
