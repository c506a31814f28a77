import { type Eid, formatPriceUsd } from '@mintage/protocol';
import {
  definitions,
  platformIdKeys,
  type StatsWindow,
  type StatsWindowKey,
  statsWindows,
} from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import { decimalsOf } from '../../chain/servedChain.ts';
import { curveNow } from '../reads/curveNow.ts';
import { newestTrades } from '../reads/tokenEvents.ts';
import { readWindows, type Windows } from '../reads/windows.ts';
import { shownPlatformId } from '../tokens/identity.ts';
import { livingOn } from '../tokens/registrations.ts';
import { servedChains } from '../tokens/servedChains.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';
import { amountKeys, changePct18, marketCap18, text18 } from '../wire/decimals.ts';
import { venueWord } from '../wire/venueWord.ts';
import { handler } from './handler.ts';

export const getTokenStats = handler(definitions.getTokenStats, async (context, { token_id: tokenRef }) => {
  const { token, served } = await requireServedToken(context, tokenRef);
  const decimals = decimalsOf(served);
  const place = { eid: token.eid, token: token.address };
  const [states, windowsOf, [lastTrade]] = await Promise.all([
    context.db
      .selectFrom('chain')
      .select(['eid', 'indexed', 'indexed_time'])
      .where('eid', 'in', livingOn(token))
      .execute(),
    readWindows(context.db, [place], windowFigures),
    newestTrades(context.db, token, { limit: 1, offset: 0 }),
  ]);
  const windows = windowsOf(place);
  const everywhere = (eid: Eid) => {
    const state = states.find((chain) => chain.eid === eid);
    return {
      ...platformIdKeys(context.config.platformName, shownPlatformId(context.config, token)),
      token_address: token.address,
      price_usd: text18(token.price_usd18),
      market_cap_usd: text18(marketCap18(token.price_usd18)),
      evt_block_number: state?.indexed ?? null,
      updated_at: state?.indexed_time?.toISOString() ?? null,
    };
  };
  const home = {
    ...everywhere(token.eid),
    chain: served.chain.slug,
    holder_count: String(token.holders),
    last_trade_at: token.last_trade_at?.toISOString() ?? null,
    last_trade_venue: lastTrade === undefined ? null : venueWord(lastTrade.venue, served.deployment),
    ...amountKeys('total_volume_token', token.volume_tokens, decimals.token),
    ...amountKeys('total_volume_usd', token.volume_usd, decimals.usd),
    ...changesIn('5m', token, windows),
    ...changesIn('1h', token, windows),
    ...changesIn('6h', token, windows),
    ...changesIn('24h', token, windows),
    ...curveKeys(token, served),
  };
  // Elsewhere the token is held and sent, and has the price of its home.
  const unknown = Object.fromEntries(Object.keys(home).map((key) => [key, null])) as {
    [Key in keyof typeof home]: null;
  };
  const chains = servedChains(context);
  const others = token.registrations.flatMap(({ eid, state, holders }) => {
    const chain = chains.get(eid)?.chain.slug;
    if (state !== 'registered' || chain === undefined) return [];
    return [{ ...unknown, ...everywhere(eid), chain, holder_count: String(holders) }];
  });
  return { success: true, stats: [home, ...others] };
});

const figures = ['volume_usd18', 'before_usd18', 'price_then_usd18', 'holders_then', 'progress_then_pct18'] as const;
const windowFigures = (Object.keys(statsWindows) as StatsWindow[]).flatMap((window) =>
  figures.map((figure) => `${figure}_${window}` as const),
);

/** Changes within one time window; all null while the window is not computed. */
const changesIn = <W extends StatsWindow>(
  name: W,
  token: KnownToken,
  windows: Windows<(typeof windowFigures)[number]>,
) => {
  const priceThen = windows?.[`price_then_usd18_${name}`];
  const volume = windows?.[`volume_usd18_${name}`];
  const holdersThen = windows?.[`holders_then_${name}`];
  return {
    ...changeKeys(`price_change_${name}`, token.price_usd18, priceThen),
    ...changeKeys(
      `market_cap_change_${name}`,
      marketCap18(token.price_usd18),
      priceThen === undefined ? undefined : marketCap18(priceThen),
    ),
    [`volume_usd_${name}`]: text18(volume),
    ...changeKeys(`volume_change_${name}`, volume, windows?.[`before_usd18_${name}`]),
    ...changeKeys(
      `holder_count_change_${name}`,
      whole(token.holders),
      holdersThen === undefined ? undefined : whole(holdersThen),
    ),
    ...changeKeys(`launchpad_progress_change_${name}`, token.progress_pct18, windows?.[`progress_then_pct18_${name}`]),
  } as Record<StatsWindowKey<W>, string | null>;
};

const whole = (count: number): bigint => BigInt(count) * 10n ** 18n;

/** The change between two values with 18 fraction digits, and the change in percent of the earlier one. */
const changeKeys = (name: string, now: bigint | undefined, before: bigint | undefined) => {
  const known = now !== undefined && before !== undefined;
  return {
    [`${name}_abs`]: text18(known ? now - before : undefined),
    [`${name}_pct`]: text18(known ? changePct18(now, before) : undefined),
  };
};

const curveKeys = (token: KnownToken, served: ChainContext) => {
  const curve = curveNow(token, served);
  const decimals = decimalsOf(served);
  const price = { usd: token.virtual_usd, tokens: token.virtual_tokens };
  return {
    launchpad_price_usd: formatPriceUsd(price, decimals),
    ...amountKeys('launchpad_supply', curve?.soldTokens, decimals.token),
    ...amountKeys('launchpad_tokens_left', curve?.tokensLeft, decimals.token),
    ...amountKeys('launchpad_liquidity_usd', curve?.reserveUsd, decimals.usd),
    launchpad_progress_pct: text18(token.progress_pct18),
  };
};
