import {
  type Address,
  chainBySlug,
  type Decimals,
  type Deployment,
  type Eid,
  families,
  poolAddressOf,
  requireBase58,
  requireHex,
  type Slug,
} from '@mintage/protocol';
import { launchpadAddress } from '@mintage/protocol/solana';
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
  const { usd, launchpad, poolManager, tokenBridge } = deployment;
  const { nobody, graves } = families[chain.family].addresses;
  const counterparties = new Set([nobody, launchpad, ...(poolManager === null ? [] : [poolManager])]);
  const others = new Set([...graves, ...(tokenBridge === null ? [] : [tokenBridge])]);
  const holderOf = ownHolderOf(deployment);
  const isCounterparty = (token: Address, address: Address): boolean =>
    counterparties.has(address) || holderOf(token) === address;
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

/**
 * Who holds what is not sold, where that is another address for each token: its pool on a v3 exchange, its Launch on Solana.
 * Null where there is no such address.
 */
const ownHolderOf = ({ exchange, venue, usd, launchpad }: Deployment): ((token: Address) => Address | null) => {
  if (exchange !== null) return onceAToken((token) => poolAddressOf(exchange, requireHex(usd), requireHex(token)));
  if (venue === 'mintage_pool')
    return onceAToken(
      (mint) => launchpadAddress(requireBase58(launchpad), 'launch', { mint: requireBase58(mint) }).address,
    );
  return () => null;
};

/** Computed once a token: each takes a few hashes. */
const onceAToken = (compute: (token: Address) => Address): ((token: Address) => Address) => {
  const known = new Map<Address, Address>();
  return (token) => {
    const found = known.get(token) ?? compute(token);
    known.set(token, found);
    return found;
  };
};

/** Rankings in which a chain counts. */
export const networksOf = (slug: string): readonly Row<'earner'>['network'][] => [
  chainBySlug(slug as Slug).testnet ? 'testnet' : 'mainnet',
  'both',
];
