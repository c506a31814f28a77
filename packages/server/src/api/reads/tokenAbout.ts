import { createHash } from 'node:crypto';
import { type Chain, chainBySlug, chainSlugs, families, tokenDecimalsOf, uuidFromHash } from '@mintage/protocol';
import { platformIdKeys } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import { shownPlatformId } from '../tokens/identity.ts';
import type { Reading } from '../tokens/reading.ts';
import type { Registration } from '../tokens/registrations.ts';
import type { KnownToken, ListedToken } from '../tokens/tokenRef.ts';
import { venueWord } from '../wire/venueWord.ts';
import { dexPools } from './dexPools.ts';

/**
 * The facts of a token that trades do not change. Null: unknown, because the token was not created through this
 * service.
 */
export const tokenAbout = (context: Reading, token: KnownToken, origin: ChainContext) => {
  const { addressType } = families[origin.chain.family];
  const pools = dexPools(context, token, origin);
  const addresses = tokenAddresses(context, token, origin);
  const registered = addresses
    .filter((address) => address.is_registered)
    .map((address) => ({
      chain: address.chain,
      platform_name: address.platform_name,
      address: address.address,
      address_display: address.address_display,
      address_type: address.address_type,
      is_registered: address.is_registered,
      is_origin_chain: address.chain === origin.chain.slug,
      eid: address.eid,
      ...(address.chain === origin.chain.slug
        ? { sources: ['launchpad'], source_events: ['registry_token_created'] }
        : { sources: ['registry'], source_events: ['registry_token_registered'] }),
    }));
  return {
    id: token.token_id,
    token_id: token.token_id,
    external_id: null,
    external_provider_id: null,
    ...platformIdKeys(context.config.platformName, shownPlatformId(context.config, token)),
    name: token.name,
    symbol: token.symbol,
    slug: token.slug,
    description: token.description,
    logo: token.logo,
    banner_url: token.banner,
    video_url: token.video,
    graduated: token.graduated_at !== null,
    graduated_at: token.graduated_at?.toISOString() ?? null,
    origin_chain: origin.chain.slug,
    origin_endpoint_id: origin.chain.eid,
    builder_code: token.builder,
    primary_evm_address: addressType === 'evm' ? token.address : null,
    primary_solana_address: addressType === 'sol' ? token.address : null,
    created_at: token.created_at.toISOString(),
    updated_at: (token.last_trade_at ?? token.created_at).toISOString(),
    token_addresses: addresses,
    registered_chains: registered,
    dex_pools: pools,
    token_address_count: addresses.length,
    registered_chain_count: registered.length,
    dex_pool_count: pools.length,
    ...unlistedKey(token),
  };
};

/** Of a token that an operator took down: the key is absent of others. */
export const unlistedKey = ({ unlisted_because: reason }: Pick<ListedToken, 'unlisted_because'>) =>
  reason === null ? {} : { unlisted: { reason } };

/** Addresses of the token: the origin first, then the chains that it came to or that its creator named. */
export const tokenAddresses = (context: Reading, token: ListedToken, origin: ChainContext) => [
  tokenAddress(token, origin.chain, origin, context),
  ...otherChains(token, origin.chain).map((other) => tokenAddress(token, other, origin, context)),
];

/** One chain of the token: the origin, or another that it is registered on or not. */
const tokenAddress = (
  token: ListedToken,
  { slug, family, eid }: Chain,
  { chain: origin, deployment }: ChainContext,
  context: Reading,
) => {
  const { addressType } = families[family];
  const isOrigin = slug === origin.slug;
  const there = token.registrations.find((registration) => registration.eid === eid);
  const registration: Registration['state'] | 'none' = isOrigin ? 'registered' : (there?.state ?? 'none');
  return {
    // Not stored: derived, so that the same token and chain always give the same id.
    id: uuidFromHash(`0x${createHash('sha256').update(`${token.token_id} ${slug}`).digest('hex')}`),
    token_id: token.token_id,
    chain: slug,
    platform_name: context.config.platformName,
    // The bridge registers a token under its own address on every chain whose addresses have that form.
    address: addressType === families[origin.family].addressType ? token.address : '',
    address_display: null,
    address_type: addressType,
    is_registered: registration === 'registered',
    registration,
    tx_hash: isOrigin ? token.tx_hash : (there?.txHash ?? null),
    created_at: token.created_at.toISOString(),
    updated_at: (there === undefined ? token.created_at : new Date(there.time)).toISOString(),
    decimals: tokenDecimalsOf({ family }),
    eid,
    dex_name: isOrigin && token.graduated_at !== null ? venueWord('pool', deployment) : null,
    dex_address: isOrigin ? token.pool_id : null,
  };
};

/** In the order of slugs. */
const otherChains = (token: ListedToken, origin: Chain): Chain[] => {
  const reached = new Set(token.registrations.map(({ eid }) => eid));
  return chainSlugs
    .map((slug) => chainBySlug(slug))
    .filter(({ slug, eid }) => slug !== origin.slug && (reached.has(eid) || token.destination_chains?.includes(slug)));
};
