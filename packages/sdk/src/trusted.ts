import { chainIds, type Decimals, MintageError, type Slug, tokenDecimalsOn } from '@mintage/protocol';
import type { Hex } from 'viem';
import type { Reader } from './reader.ts';

/** Where a deployment's contracts are on one chain, lower case: the only addresses that a checked call goes to. */
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

/** By chain. It is plain JSON: keep a copy that you have compared with the deployment, and no later answer changes it. */
export type Trusted = Readonly<Partial<Record<Slug, TrustedChain>>>;

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

const trustedIn = ({ chains }: Awaited<ReturnType<Reader['chains']>>): Trusted => {
  const trusted = chains.flatMap(({ slug, type, contracts, dollarToken, venue }): TrustedChain[] => {
    // A newer service may have chains that this client does not know.
    if (type !== 'evm' || !Object.hasOwn(chainIds, slug)) return [];
    const chain = chainIds[slug];
    if (chain.chainId === null) return [];
    return [
      {
        slug,
        chainId: chain.chainId,
        eid: chain.eid,
        launchpad: addressIn(contracts.launchpad),
        tokenBridge: contracts.tokenBridge === null ? null : addressIn(contracts.tokenBridge),
        tokenFactory: addressIn(contracts.tokenFactory),
        tokenImplementation: addressIn(contracts.tokenImplementation),
        lens: addressIn(contracts.lens),
        usd: addressIn(dollarToken.address),
        usdDecimals: decimalsIn(dollarToken.decimals),
        venue: venueIn(venue),
      },
    ];
  });
  return Object.fromEntries(trusted.map((chain) => [chain.slug, chain]));
};

/** @throws Error */
const addressIn = (text: string): Hex => {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) throw new Error(`${text} is no address`);
  return lower(text);
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

/** @throws MintageError UNSUPPORTED_CHAIN. */
export const trustedOn = (trusted: Trusted, slug: string): TrustedChain => {
  const chain = Object.hasOwn(trusted, slug) ? trusted[slug as Slug] : undefined;
  if (chain === undefined)
    throw new MintageError('UNSUPPORTED_CHAIN', `${slug} is not among the chains that were given as trusted.`);
  return chain;
};

export const decimalsOf = ({ slug, usdDecimals }: TrustedChain): Decimals => ({
  token: tokenDecimalsOn(slug),
  usd: usdDecimals,
});

/** Addresses as this package compares them. */
export const lower = (address: string): Hex => address.toLowerCase() as Hex;
