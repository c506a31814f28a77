import { chainByEid, type Decimals, formatUnits, moneyRaisedDown } from '@mintage/protocol';
import { platformIdKeys } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import { decimalsOf } from '../../chain/servedChain.ts';
import { shownPlatformId } from '../tokens/identity.ts';
import type { Reading } from '../tokens/reading.ts';
import type { ListedToken } from '../tokens/tokenRef.ts';
import { changePct18, marketCap18 } from '../wire/decimals.ts';
import { basePath } from '../wire/limits.ts';
import { numberOf } from '../wire/usd.ts';
import { curveNow } from './curveNow.ts';
import { tokenAddresses, unlistedKey } from './tokenAbout.ts';
import type { Windows } from './windows.ts';

/** The fields that every list shows first. */
export const tokenFace = ({ config }: Reading, token: ListedToken) => ({
  id: token.token_id,
  name: token.name,
  symbol: token.symbol,
  slug: token.slug,
  logo: token.logo,
  banner_url: token.banner,
  video_url: token.video,
  description: token.description,
  ...platformIdKeys(config.platformName, shownPlatformId(config, token)),
  created_at: token.created_at.toISOString(),
});

/** Figures that help to tell two tokens with one name apart. */
export const tokenFigures = (token: ListedToken) => ({
  price_usd: number18(token.price_usd18),
  market_cap: number18(marketCap18(token.price_usd18)),
  holders_count: token.holders,
});

/** What a `tokenRecord` shows of windows. */
export const windowFigures = [
  'volume_usd18_1m',
  'volume_usd18_5m',
  'volume_usd18_1h',
  'volume_usd18_24h',
  'price_then_usd18_24h',
  'price_change_usd18_24h',
] as const;

/** A token as lists show it: wire contract 6.3, TokenV2. */
export const tokenRecord = (context: Reading, token: ListedToken, windows: Windows<(typeof windowFigures)[number]>) => {
  const served = context.chains.get(chainByEid(token.eid)?.slug ?? '') as ChainContext;
  const curve = curveNow(token, served);
  const decimals = decimalsOf(served);
  return {
    ...tokenFace(context, token),
    ...cardLinks(token),
    holders_count: token.holders,
    trx: token.trades,
    market_cap: number18(marketCap18(token.price_usd18)),
    price: number18(token.price_usd18),
    volume_1m: number18(windows?.volume_usd18_1m),
    volume_5m: number18(windows?.volume_usd18_5m),
    volume_1h: number18(windows?.volume_usd18_1h),
    volume_24h: number18(windows?.volume_usd18_24h),
    price_change_24h: number18(windows?.price_change_usd18_24h),
    price_change_24h_percent: number18(windows && (changePct18(token.price_usd18, windows.price_then_usd18_24h) ?? 0n)),
    launchpad_supply: numberOfTokens(curve?.soldTokens, decimals.token),
    launchpad_tokens_left: numberOfTokens(curve?.tokensLeft, decimals.token),
    launchpad_progress_pct: number18(token.progress_pct18),
    ...raised(curve, decimals),
    graduated_at: token.graduated_at?.toISOString() ?? null,
    token_addresses: tokenAddresses(context, token, served),
    stage: token.stage,
    token_uri: token.uri === '' ? null : token.uri,
    hashtags: token.tags ?? [],
    indexer_metadata: tokenMeta(context, token),
    ...unlistedKey(token),
  };
};

const raised = (curve: ReturnType<typeof curveNow>, decimals: Decimals) => {
  const money = curve && moneyRaisedDown(curve.poolType, decimals, curve.soldTokens);
  const dollars = (units: bigint | undefined) =>
    units === undefined ? null : numberOf(formatUnits(units, decimals.usd));
  return { launchpad_raised_usd: dollars(money?.raisedUsd), launchpad_target_usd: dollars(money?.targetUsd) };
};

/** The links that cards show, under the names that existing apps read. */
const cardLinks = ({ links }: ListedToken) => ({
  website_url: links?.website ?? null,
  twitter_url: links?.twitter ?? null,
  github_url: links?.github ?? null,
  metadata: { links: links ?? {} },
});

const number18 = (value: bigint | undefined): number | null =>
  value === undefined ? null : numberOf(formatUnits(value, 18));
const numberOfTokens = (baseUnits: bigint | undefined, decimals: number): number | null =>
  baseUnits === undefined ? null : numberOf(formatUnits(baseUnits, decimals));

/** Metadata stored when the token was created through this service; null for other tokens. */
const tokenMeta = ({ config }: Reading, token: ListedToken) => {
  if (token.drafted_at === null) return null;
  const links = token.links ?? {};
  const cid = /^ipfs:\/\/(.+)$/.exec(token.uri)?.[1];
  return {
    token_uri: token.uri,
    resolved_metadata_url: cid === undefined ? null : `${config.publicUrl}${basePath}/ipfs/${cid}`,
    image_url: token.logo,
    image_storage_path: null,
    image_storage_url: token.logo,
    banner_url: token.banner,
    name: token.name,
    symbol: token.symbol,
    description: token.description,
    created_on: config.appUrl,
    ...platformIdKeys(config.platformName, shownPlatformId(config, token)),
    token: token.address,
    website: links.website ?? null,
    twitter_url: links.twitter ?? null,
    discord_url: links.discord ?? null,
    telegram_url: links.telegram ?? null,
    farcaster_url: null,
    github_url: null,
    hashtags: token.tags ?? [],
    fetched_at: token.drafted_at.toISOString(),
    immutable: true,
    addresses: { evm: token.address, solana: '' },
    socials: links,
  };
};
