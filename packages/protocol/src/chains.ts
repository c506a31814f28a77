/** Stand-in until the chain table is written: slugs only. */
export const chainSlugs = [
  'solana',
  'solana-devnet',
  'arbitrum',
  'base',
  'base-sepolia',
  'avalanche',
  'op-bnb',
  'bnb',
  'bnb-testnet',
  'ethereum',
  'monad',
  'unichain',
  'unichain-testnet',
  'abstract',
  'polygon',
  'zksync',
  'zksync-testnet',
] as const;
export type Slug = (typeof chainSlugs)[number];
