import { chainBySlug, type Deployment, type Eid, type Slug } from '@mintage/protocol';
import type { Row } from '../db/chainTables.ts';
import type { Hex } from './events/log.ts';

/** The constant facts of an indexed chain. */
export interface ChainContext {
  /** LayerZero endpoint id: the key of the chain's rows, and part of every token's platform id. */
  eid: Eid;
  slug: string;
  /** EIP-155: what a provider has to name. */
  chainId: number;
  usd: Hex;
  usdDecimals: number;
  /** Rankings in which the chain counts. */
  networks: readonly Row<'earner'>['network'][];
  launchpad: Hex;
  poolManager: Hex | null;
  /** Addresses that hold tokens for others, or for nobody: they have no balance rows and do not count as holders. */
  notHolders: ReadonlySet<Hex>;
  /** The ones among them that are a side of every trade and of the creation. */
  counterparties: ReadonlySet<Hex>;
}

const zero: Hex = `0x${'0'.repeat(40)}`;
const dead: Hex = `0x${'0'.repeat(36)}dead`;

export const chainContext = (chain: { slug: string; eid: Eid }, deployment: Deployment): ChainContext => {
  const { chainId, usd, usdDecimals, launchpad, poolManager, poolHook, tokenBridge } = deployment;
  const counterparties = [zero, launchpad, poolHook, ...(poolManager === null ? [] : [poolManager])].map(lower);
  return {
    slug: chain.slug,
    chainId,
    eid: chain.eid,
    usd: lower(usd),
    usdDecimals,
    networks: networksOf(chain.slug),
    launchpad: lower(launchpad),
    poolManager: poolManager === null ? null : lower(poolManager),
    notHolders: new Set([...counterparties, dead, ...(tokenBridge === null ? [] : [lower(tokenBridge)])]),
    counterparties: new Set(counterparties),
  };
};

/** Rankings in which a chain counts. */
export const networksOf = (slug: string): readonly Row<'earner'>['network'][] => [
  chainBySlug(slug as Slug).testnet ? 'testnet' : 'mainnet',
  'both',
];

const lower = (address: Hex): Hex => address.toLowerCase() as Hex;
