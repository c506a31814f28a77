/**
 * By what a chain is named outside: its EIP-155 id, null on Solana, and its LayerZero V2 endpoint id. Apart from the chains' other
 * facts, because clients need no more of them, and a browser loads what is beside it. Sources: `chains.ts`.
 */
export const chainIds = {
  solana: { chainId: null, eid: 30168 },
  'solana-devnet': { chainId: null, eid: 40168 },
  arbitrum: { chainId: 42161, eid: 30110 },
  base: { chainId: 8453, eid: 30184 },
  'base-sepolia': { chainId: 84532, eid: 40245 },
  avalanche: { chainId: 43114, eid: 30106 },
  'op-bnb': { chainId: 204, eid: 30202 },
  bnb: { chainId: 56, eid: 30102 },
  'bnb-testnet': { chainId: 97, eid: 40102 },
  ethereum: { chainId: 1, eid: 30101 },
  monad: { chainId: 143, eid: 30390 },
  unichain: { chainId: 130, eid: 30320 },
  'unichain-testnet': { chainId: 1301, eid: 40333 },
  abstract: { chainId: 2741, eid: 30324 },
  polygon: { chainId: 137, eid: 30109 },
  zksync: { chainId: 324, eid: 30165 },
  'zksync-testnet': { chainId: 300, eid: 40305 },
} as const satisfies Record<string, { chainId: number | null; eid: number }>;

/** The slug of the chain with this endpoint id; undefined where it is none of ours. */
export const slugOfEid = (wanted: number): keyof typeof chainIds | undefined =>
  (Object.keys(chainIds) as (keyof typeof chainIds)[]).find((slug) => chainIds[slug].eid === wanted);
