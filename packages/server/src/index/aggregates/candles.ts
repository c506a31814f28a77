import type { Address } from '@mintage/protocol';
import type { Row } from '../../db/chainTables.ts';
import type { Page } from '../page/page.ts';
import type { Place } from '../page/tableRows.ts';

/** The lengths of candles, seconds. Each divides a day, so buckets are aligned to UTC. */
export const candleSeconds = [60, 300, 900, 3600, 14_400, 86_400] as const;

/** Start of the bucket that holds a time. */
export const bucketOf = (time: Date, seconds: number): Date => {
  const lengthMs = seconds * 1000;
  return new Date(Math.floor(time.getTime() / lengthMs) * lengthMs);
};

/** The shortest candles divide all others, so trades of one minute fall into the same candles of every length. */
const minuteOf = (time: Date): number => Math.floor(time.getTime() / 60_000);

/** Names the candles that a trade at this time touches. */
export const needCandles = (page: Page, token: Address, time: Date): void => {
  const minute = minuteOf(time);
  if (page.namedMinutes.get(token) === minute) return;
  page.namedMinutes.set(token, minute);
  for (const seconds of candleSeconds) page.rows.candle.need(token, seconds, bucketOf(time, seconds));
};

/** The token's candles at this time, one for each of `candleSeconds`. */
const candlesAt = (page: Page, token: Address, time: Date): readonly Place<'candle'>[] => {
  const minute = minuteOf(time);
  const open = page.openCandles.get(token);
  if (open?.minute === minute) return open.places;
  const places = candleSeconds.map((seconds) => page.rows.candle.place(token, seconds, bucketOf(time, seconds)));
  page.openCandles.set(token, { minute, places });
  return places;
};

/**
 * Adds a trade to its candles.
 *
 * @param priceBefore - Price at which a bucket without trades opens.
 */
export const addToCandles = (page: Page, trade: Row<'trade'>, priceBefore: bigint): void => {
  const { eid, token, block_number, price_usd18: price } = trade;
  const volumeUsd18 = page.usd18(trade.gross_usd);
  const candles = page.rows.candle;
  for (const [i, place] of candlesAt(page, token, trade.time).entries()) {
    const seconds = candleSeconds[i] as number;
    const candle =
      candles.changeAt(place, block_number) ??
      candles.addAt(place, block_number, {
        eid,
        token,
        seconds,
        bucket: bucketOf(trade.time, seconds),
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
    candle.volume_usd18 += volumeUsd18;
    candle.trades += 1;
  }
};
