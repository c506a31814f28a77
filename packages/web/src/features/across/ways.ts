import type { ChainSlug, ServedChain, TokenAbout } from '@mintage/sdk';

export interface Way {
  from: ChainSlug;
  to: ChainSlug;
  /** The token is not known there yet: the first transfer makes it. */
  isNew: boolean;
}

/** Whether it leads to other wallets on the same chain. */
export const isHere = ({ from, to }: Pick<Way, 'from' | 'to'>): boolean => from === to;

/**
 * Between its home and any other chain with a bridge; from another one back. No bridge leads from one family of chains to another:
 * where the home has none, tokens go to other wallets on it.
 */
export const waysOf = (about: TokenAbout, served: readonly ServedChain[]): Way[] => {
  const home = served.find(({ slug }) => slug === about.origin_chain);
  if (home === undefined) return [];
  if (home.contracts.tokenBridge === null) return [{ from: home.slug, to: home.slug, isNew: false }];
  const there = new Set(about.token_addresses.filter(({ is_registered: is }) => is).map(({ chain }) => chain));
  const others = served.filter(
    ({ slug, type, contracts }) => slug !== home.slug && type === home.type && contracts.tokenBridge !== null,
  );
  return [
    ...others.map(({ slug }) => ({ from: home.slug, to: slug, isNew: !there.has(slug) })),
    ...others.filter(({ slug }) => there.has(slug)).map(({ slug }) => ({ from: slug, to: home.slug, isNew: false })),
  ];
};
