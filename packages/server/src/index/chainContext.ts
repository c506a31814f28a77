import {
  type Address,
  chainBySlug,
  type Decimals,
  type Eid,
  type ExchangeV3,
  families,
  poolAddressOf,
  requireHex,
  type Slug,
} from '@mintage/protocol';
import { decimalsOf, type ServedChain } from '../chain/servedChain.ts';
import type { Row } from '../db/chainTables.ts';

/** The constant facts of an indexed chain. */
export interface ChainContext {
  /** LayerZero endpoint id: the key of the chain's rows, and part of every token's platform id. */
  eid: Eid;
  slug: string;
  usd: Address;
  decimals: Decimals;
  /** Rankings in which the chain counts. */
  networks: readonly Row<'earner'>['network'][];
  launchpad: Address;
  poolManager: Address | null;
  /** False for who holds tokens for others, or for nobody: they have no balance rows and do not count as holders. */
  isHolder(token: Address, address: Address): boolean;
  /** The ones among these that are a side of every trade and of the creation. */
  isCounterparty(token: Address, address: Address): boolean;
}

export const chainContext = ({ chain, deployment }: Pick<ServedChain, 'chain' | 'deployment'>): ChainContext => {
  const { usd, launchpad, poolManager, exchange, tokenBridge } = deployment;
  const { nobody, graves } = families[chain.family].addresses;
  const counterparties = new Set([nobody, launchpad, ...(poolManager === null ? [] : [poolManager])]);
  const others = new Set([...graves, ...(tokenBridge === null ? [] : [tokenBridge])]);
  const poolOf = exchange === null ? () => null : poolsOf(exchange, usd);
  const isCounterparty = (token: Address, address: Address): boolean =>
    counterparties.has(address) || poolOf(token) === address;
  return {
    slug: chain.slug,
    eid: chain.eid,
    usd,
    decimals: decimalsOf({ chain, deployment }),
    networks: networksOf(chain.slug),
    launchpad,
    poolManager,
    isHolder: (token, address) => !isCounterparty(token, address) && !others.has(address),
    isCounterparty,
  };
};

/** The pool of each token and the dollar, also before anybody made it. Computed once a token: each takes two hashes. */
const poolsOf = (exchange: ExchangeV3, usd: Address) => {
  const known = new Map<Address, Address>();
  return (token: Address): Address => {
    const found = known.get(token) ?? poolAddressOf(exchange, requireHex(usd), requireHex(token));
    known.set(token, found);
    return found;
  };
};

/** Rankings in which a chain counts. */
export const networksOf = (slug: string): readonly Row<'earner'>['network'][] => [
  chainBySlug(slug as Slug).testnet ? 'testnet' : 'mainnet',
  'both',
];
