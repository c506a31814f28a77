import { type ChainType, chainByEid, chainTypeOf, type Eid } from '@mintage/protocol';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Reading } from './reading.ts';

/**
 * The chains a read covers, by eid: all configured ones, or those of the caller's list. A slug that is not
 * configured here matches nothing; an absent or empty list means all.
 */
export const servedChains = ({ chains }: Reading, slugs?: readonly string[]): ReadonlyMap<Eid, ChainContext> => {
  const wanted = new Set(slugs?.map((slug) => (slug === 'opbnb' ? 'op-bnb' : slug.toLowerCase())));
  const covered = [...chains.values()].filter(({ chain }) => wanted.size === 0 || wanted.has(chain.slug));
  return new Map(covered.map((served) => [served.chain.eid, served]));
};

/** The types of these chains. */
export const chainTypesOf = (chains: Iterable<Pick<ChainContext, 'chain'>>): ReadonlySet<ChainType> =>
  new Set(Array.from(chains, ({ chain }) => chainTypeOf(chain)));

/** In the order of EIP-155 ids, which callers know; chains without one come last. To be used where answers list chains. */
export const byChainId = (one: { eid: Eid }, other: { eid: Eid }): number => chainIdOf(one.eid) - chainIdOf(other.eid);

const chainIdOf = (eid: Eid): number => chainByEid(eid)?.chainId ?? Number.MAX_SAFE_INTEGER;
