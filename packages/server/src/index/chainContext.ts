import { type Address, chainBySlug, type Eid, families, type Slug } from '@mintage/protocol';
import type { ServedChain } from '../chain/servedChain.ts';
import type { Row } from '../db/chainTables.ts';

/** The constant facts of an indexed chain. */
export interface ChainContext {
  /** LayerZero endpoint id: the key of the chain's rows, and part of every token's platform id. */
  eid: Eid;
  slug: string;
  usd: Address;
  usdDecimals: number;
  /** Rankings in which the chain counts. */
  networks: readonly Row<'earner'>['network'][];
  launchpad: Address;
  poolManager: Address | null;
  /** Addresses that hold tokens for others, or for nobody: they have no balance rows and do not count as holders. */
  notHolders: ReadonlySet<Address>;
  /** The ones among them that are a side of every trade and of the creation. */
  counterparties: ReadonlySet<Address>;
}

export const chainContext = ({ chain, deployment }: Pick<ServedChain, 'chain' | 'deployment'>): ChainContext => {
  const { usd, usdDecimals, launchpad, poolManager, tokenBridge } = deployment;
  const { nobody, graves } = families[chain.family].addresses;
  const counterparties = [nobody, launchpad, ...(poolManager === null ? [] : [poolManager])];
  return {
    slug: chain.slug,
    eid: chain.eid,
    usd,
    usdDecimals,
    networks: networksOf(chain.slug),
    launchpad,
    poolManager,
    notHolders: new Set([...counterparties, ...graves, ...(tokenBridge === null ? [] : [tokenBridge])]),
    counterparties: new Set(counterparties),
  };
};

/** Rankings in which a chain counts. */
export const networksOf = (slug: string): readonly Row<'earner'>['network'][] => [
  chainBySlug(slug as Slug).testnet ? 'testnet' : 'mainnet',
  'both',
];
