import {
  type Address,
  type Base58,
  chainIds,
  type Decimals,
  MintageError,
  parseBase58Address,
  type Slug,
  tokenDecimalsOn,
} from '@mintage/protocol';
import type { Hex } from 'viem';
import type { Reader } from './reader.ts';

/** Where a deployment's contracts are on one EVM chain, lower case: the only addresses that a checked call goes to. */
export interface TrustedChain {
  slug: Slug;
  chainId: number;
  /** LayerZero endpoint id. */
  eid: number;
  launchpad: Hex;
  /** Null: there is none. */
  tokenBridge: Hex | null;
  tokenFactory: Hex;
  tokenImplementation: Hex;
  lens: Hex;
  usd: Hex;
  usdDecimals: number;
  venue: 'uniswap_v4' | 'uniswap_v3' | 'pancake_v3' | 'mintage_pool' | null;
}

/** Where a deployment's program is on one cluster of Solana, base58: all other addresses follow from these two. */
export interface TrustedSolanaChain {
  type: 'solana';
  slug: Slug;
  /** LayerZero endpoint id. */
  eid: number;
  /** The program. */
  launchpad: string;
  /** Mint of the dollar. */
  usd: string;
  usdDecimals: number;
  venue: 'mintage_pool' | null;
}

/** Chains of a family, by their names. */
type SolanaSlug = { [Name in Slug]: (typeof chainIds)[Name]['family'] extends 'solana' ? Name : never }[Slug];

/** By chain. It is plain JSON: keep a copy that you have compared with the deployment, and no later answer changes it. */
export type Trusted = Readonly<{ [Name in Slug]?: Name extends SolanaSlug ? TrustedSolanaChain : TrustedChain }>;

export const isSolana = (chain: TrustedChain | TrustedSolanaChain): chain is TrustedSolanaChain => 'type' in chain;

/**
 * What the service says now. Chain ids and endpoint ids are the protocol's own.
 *
 * @throws MintageError UNEXPECTED_ANSWER where it says no addresses, or none that could be trusted.
 */
export const readTrusted = async (reader: Pick<Reader, 'chains'>): Promise<Trusted> => {
  const answer = await reader.chains();
  try {
    return trustedIn(answer);
  } catch (cause) {
    throw new MintageError('UNEXPECTED_ANSWER', 'The service lists its chains as no service of ours does.', { cause });
  }
};

type Served = Awaited<ReturnType<Reader['chains']>>['chains'][number];

const trustedIn = ({ chains }: { chains: readonly Served[] }): Trusted => {
  const trusted = chains.flatMap((chain): (TrustedChain | TrustedSolanaChain)[] => {
    // A newer service may have chains that this client does not know.
    if (!Object.hasOwn(chainIds, chain.slug)) return [];
    const { chainId, eid, family } = chainIds[chain.slug];
    if (chain.type === 'evm' && chainId !== null) return [evmIn(chain, chainId, eid)];
    return chain.type === 'solana' && family === 'solana' ? [solanaIn(chain, eid)] : [];
  });
  return Object.fromEntries(trusted.map((chain) => [chain.slug, chain]));
};

const evmIn = ({ slug, contracts, dollarToken, venue }: Served, chainId: number, eid: number): TrustedChain => ({
  slug,
  chainId,
  eid,
  launchpad: addressIn(contracts.launchpad),
  tokenBridge: contracts.tokenBridge === null ? null : addressIn(contracts.tokenBridge),
  tokenFactory: addressIn(contracts.tokenFactory),
  tokenImplementation: addressIn(contracts.tokenImplementation),
  lens: addressIn(contracts.lens),
  usd: addressIn(dollarToken.address),
  usdDecimals: decimalsIn(dollarToken.decimals),
  venue: venueIn(venue),
});

const solanaIn = ({ slug, contracts, dollarToken, venue }: Served, eid: number): TrustedSolanaChain => {
  if (venue !== 'mintage_pool' && venue !== null) throw new Error(`${venue} is no venue of Solana`);
  const [launchpad, usd] = [base58In(contracts.launchpad), base58In(dollarToken.address)];
  return { type: 'solana', slug, eid, launchpad, usd, usdDecimals: decimalsIn(dollarToken.decimals), venue };
};

/** @throws Error */
const addressIn = (text: string): Hex => {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) throw new Error(`${text} is no address`);
  return lower(text);
};

/** @throws Error */
export const base58In = (text: string): Base58 => {
  if (parseBase58Address(text) === null) throw new Error(`${text} is no address of Solana`);
  return text as Base58;
};

/** @throws Error */
const decimalsIn = (said: number): number => {
  if (!Number.isInteger(said) || said < 0 || said > 36) throw new Error(`${said} is no number of decimals`);
  return said;
};

const venues: ReadonlySet<unknown> = new Set<TrustedChain['venue']>([
  'uniswap_v4',
  'uniswap_v3',
  'pancake_v3',
  'mintage_pool',
  null,
]);

/** @throws Error */
const venueIn = (said: TrustedChain['venue']): TrustedChain['venue'] => {
  if (!venues.has(said)) throw new Error(`${said} is no venue`);
  return said;
};

/** The EVM chain of this name. @throws MintageError UNSUPPORTED_CHAIN. */
export const trustedOn = (trusted: Trusted, slug: string): TrustedChain => {
  const chain = chainNamed(trusted, slug);
  if (isSolana(chain)) throw new MintageError('UNSUPPORTED_CHAIN', `${slug} has no EVM: it wants a wallet of Solana.`);
  return chain;
};

/** The cluster of Solana of this name. @throws MintageError UNSUPPORTED_CHAIN. */
export const trustedSolanaOn = (trusted: Trusted, slug: string): TrustedSolanaChain => {
  const chain = chainNamed(trusted, slug);
  if (!isSolana(chain)) throw new MintageError('UNSUPPORTED_CHAIN', `${slug} is no cluster of Solana.`);
  return chain;
};

const chainNamed = (trusted: Trusted, slug: string): TrustedChain | TrustedSolanaChain => {
  const chain = Object.hasOwn(trusted, slug) ? trusted[slug as Slug] : undefined;
  if (chain === undefined)
    throw new MintageError('UNSUPPORTED_CHAIN', `${slug} is not among the chains that were given as trusted.`);
  return chain;
};

export const decimalsOf = ({ slug, usdDecimals }: Pick<TrustedChain, 'slug' | 'usdDecimals'>): Decimals => ({
  token: tokenDecimalsOn(slug),
  usd: usdDecimals,
});

/** Addresses of EVM chains as this package compares them. */
export const lower = (address: string): Hex => address.toLowerCase() as Hex;

/** Addresses of any family in their one form: the letters of base58 differ by case. */
export const oneForm = (address: string): Address => (/^0x/i.test(address) ? lower(address) : (address as Base58)); // compared, and read nowhere
