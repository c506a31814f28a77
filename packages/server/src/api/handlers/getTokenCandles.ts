import { invalid, tokenDecimalsOf } from '@mintage/protocol';
import { candleSeconds, definitions, platformIdKeys } from '@mintage/protocol/operations';
import { readCandles } from '../reads/candles.ts';
import { shownPlatformId } from '../tokens/identity.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import { amountKeys } from '../wire/decimals.ts';
import { isoTime } from '../wire/isoTime.ts';
import { handler } from './handler.ts';

/** Curve and pool trades form one series. */
const onlyVenue = 'all';

export const getTokenCandles = handler(definitions.getTokenCandles, async (context, input) => {
  const { candle_interval: interval, venue = onlyVenue, limit, offset, ascending } = input;
  const seconds = candleSeconds[interval];
  const fromMs = msOf(input.from_timestamp);
  const toMs = msOf(input.to_timestamp);
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs)
    throw invalid('from_timestamp', 'must not be after to_timestamp');
  const { token, served } = await requireServedToken(context, input.token_id);
  if (venue !== onlyVenue) return { success: true, candles: [] };
  const candles = await readCandles(context.db, token, { seconds, fromMs, toMs, limit, offset, ascending });
  const { chain, deployment } = served;
  const shared = {
    chain: chain.slug,
    ...platformIdKeys(context.config.platformName, shownPlatformId(context.config, token)),
    token_address: token.address,
    venue: onlyVenue,
    candle_interval: interval,
  };
  // `volume_usd18` is a sum of base units scaled to 18 digits, so the division is exact.
  const usdScale = 10n ** BigInt(18 - deployment.usdDecimals);
  return {
    success: true,
    candles: candles.map((candle) => ({
      ...shared,
      bucket_start: isoTime(candle.startMs),
      bucket_end: isoTime(candle.startMs + seconds * 1_000),
      ...amountKeys('open_price_usd', candle.open_usd18, 18),
      ...amountKeys('high_price_usd', candle.high_usd18, 18),
      ...amountKeys('low_price_usd', candle.low_usd18, 18),
      ...amountKeys('close_price_usd', candle.close_usd18, 18),
      ...amountKeys('volume_token', candle.volume_tokens, tokenDecimalsOf(chain)),
      ...amountKeys('volume_usd', candle.volume_usd18 / usdScale, deployment.usdDecimals),
      trade_count: String(candle.trades),
      trade_count_raw: String(candle.trades),
    })),
  };
});

const msOf = (time: string | undefined): number | undefined => (time === undefined ? undefined : Date.parse(time));
