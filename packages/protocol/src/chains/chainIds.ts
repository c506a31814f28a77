import { type ChainType, chainTypeOf, type Family, tokenDecimalsOf } from './families.ts';

/**
 * By what a chain is named outside: its EIP-155 id, null on Solana, and its LayerZero V2 endpoint id; and its family. Apart from the
 * chains' other facts, because clients need no more of them, and a browser loads what is beside it. Sources: `chains.ts`.
 */
export const chainIds = {
  solana: { chainId: null, eid: 30168, family: 'solana' },
  'solana-devnet': { chainId: null, eid: 40168, family: 'solana' },
  arbitrum: { chainId: 42161, eid: 30110, family: 'evm' },
  base: { chainId: 8453, eid: 30184, family: 'evm' },
  'base-sepolia': { chainId: 84532, eid: 40245, family: 'evm' },
  avalanche: { chainId: 43114, eid: 30106, family: 'evm' },
  'op-bnb': { chainId: 204, eid: 30202, family: 'evm' },
  bnb: { chainId: 56, eid: 30102, family: 'evm' },
  'bnb-testnet': { chainId: 97, eid: 40102, family: 'evm' },
  ethereum: { chainId: 1, eid: 30101, family: 'evm' },
  monad: { chainId: 143, eid: 30390, family: 'evm' },
  unichain: { chainId: 130, eid: 30320, family: 'evm' },
  'unichain-testnet': { chainId: 1301, eid: 40333, family: 'evm' },
  abstract: { chainId: 2741, eid: 30324, family: 'eravm' },
  polygon: { chainId: 137, eid: 30109, family: 'evm' },
  zksync: { chainId: 324, eid: 30165, family: 'eravm' },
  'zksync-testnet': { chainId: 300, eid: 40305, family: 'eravm' },
} as const satisfies Record<string, { chainId: number | null; eid: number; family: Family }>;

/** The slug of the chain with this endpoint id; undefined where it is none of ours. */
export const slugOfEid = (wanted: number): keyof typeof chainIds | undefined =>
  (Object.keys(chainIds) as (keyof typeof chainIds)[]).find((slug) => chainIds[slug].eid === wanted);

/** Decimals of the tokens of the chain with this slug. */
export const tokenDecimalsOn = (slug: keyof typeof chainIds): number => tokenDecimalsOf(chainIds[slug]);

/** The `type` of the chain with this slug; null where it is none of ours. */
export const chainTypeOn = (slug: string): ChainType | null =>
  Object.hasOwn(chainIds, slug) ? chainTypeOf(chainIds[slug as keyof typeof chainIds]) : null;
