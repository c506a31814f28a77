import type { Address } from '@mintage/protocol';
import type { Row } from '../../db/chainTables.ts';
import type { Page } from '../page/page.ts';

/** The lengths of candles, seconds. Each divides a day, so buckets are aligned to UTC. */
export const candleSeconds = [60, 300, 900, 3600, 14_400, 86_400] as const;

/** Start of the bucket that holds a time. */
export const bucketOf = (time: Date, seconds: number): Date => {
  const lengthMs = seconds * 1000;
  return new Date(Math.floor(time.getTime() / lengthMs) * lengthMs);
};

/** Names the candles that a trade at this time touches. */
export const needCandles = (page: Page, token: Address, time: Date): void => {
  for (const seconds of candleSeconds) page.rows.candle.need(page.chain.eid, token, seconds, bucketOf(time, seconds));
};

/**
 * Adds a trade to its candles.
 *
 * @param priceBefore - Price at which a bucket without trades opens.
 */
export const addToCandles = (page: Page, trade: Row<'trade'>, priceBefore: bigint): void => {
  const { eid, token, block_number, price_usd18: price } = trade;
  for (const seconds of candleSeconds) {
    const bucket = bucketOf(trade.time, seconds);
    const candle =
      page.rows.candle.change(block_number, eid, token, seconds, bucket) ??
      page.rows.candle.add(block_number, {
        eid,
        token,
        seconds,
        bucket,
        open_usd18: priceBefore,
        high_usd18: priceBefore,
        low_usd18: priceBefore,
        close_usd18: priceBefore,
        volume_tokens: 0n,
        volume_usd18: 0n,
        trades: 0,
      });
    if (price > candle.high_usd18) candle.high_usd18 = price;
    if (price < candle.low_usd18) candle.low_usd18 = price;
    candle.close_usd18 = price;
    candle.volume_tokens += trade.tokens;
    candle.volume_usd18 += page.usd18(trade.gross_usd);
    candle.trades += 1;
  }
};
