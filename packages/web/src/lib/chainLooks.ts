import type { ChainSlug } from '@mintage/sdk';

/** A chain as people know it. */
interface ChainLooks {
  name: string;
  letter: string;
  /** White letters are readable on it, 4.5 : 1. */
  color: string;
}

/** By slug. */
const looks: Readonly<Record<ChainSlug, ChainLooks>> = {
  solana: { name: 'Solana', letter: 'S', color: '#6b3fa0' },
  'solana-devnet': { name: 'Solana Devnet', letter: 'S', color: '#6b3fa0' },
  arbitrum: { name: 'Arbitrum', letter: 'A', color: '#1b5e86' },
  base: { name: 'Base', letter: 'B', color: '#0a4bd6' },
  'base-sepolia': { name: 'Base Sepolia', letter: 'B', color: '#0a4bd6' },
  avalanche: { name: 'Avalanche', letter: 'A', color: '#b3202c' },
  'op-bnb': { name: 'opBNB', letter: 'N', color: '#8a6a00' },
  bnb: { name: 'BNB Chain', letter: 'N', color: '#8a6a00' },
  'bnb-testnet': { name: 'BNB Testnet', letter: 'N', color: '#8a6a00' },
  ethereum: { name: 'Ethereum', letter: 'E', color: '#4b5578' },
  monad: { name: 'Monad', letter: 'M', color: '#5b45c9' },
  unichain: { name: 'Unichain', letter: 'U', color: '#a02b6b' },
  'unichain-testnet': { name: 'Unichain Sepolia', letter: 'U', color: '#a02b6b' },
  abstract: { name: 'Abstract', letter: 'A', color: '#1f6f4a' },
  polygon: { name: 'Polygon', letter: 'P', color: '#6a3ab5' },
  zksync: { name: 'ZKsync', letter: 'Z', color: '#3653a4' },
  'zksync-testnet': { name: 'ZKsync Sepolia', letter: 'Z', color: '#3653a4' },
};

export const chainName = (slug: string): string => chainLooks(slug)?.name ?? slug;

/** Null: a chain that this build does not know. */
export const chainLooks = (slug: string): ChainLooks | null =>
  Object.hasOwn(looks, slug) ? looks[slug as ChainSlug] : null;
