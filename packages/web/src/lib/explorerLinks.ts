import type { ChainsAnswer } from '@mintage/sdk';

type Chains = readonly Pick<ChainsAnswer['chains'][number], 'slug' | 'explorerUrl'>[] | undefined;

const explorerOf = (chains: Chains, slug: string): string | null =>
  chains?.find((chain) => chain.slug === slug)?.explorerUrl ?? null;

/** Where people look up an address of a chain; null: its chain has no explorer. */
export const addressLink = (chains: Chains, slug: string, address: string): string | null => {
  const explorer = explorerOf(chains, slug);
  return explorer === null ? null : `${explorer}/address/${address}`;
};

export const blockLink = (chains: Chains, slug: string, block: number): string | null => {
  const explorer = explorerOf(chains, slug);
  return explorer === null ? null : `${explorer}/block/${block}`;
};
