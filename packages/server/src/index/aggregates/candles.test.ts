import { describe, expect, test } from 'vitest';
import { at, chain, created, graduated, trade } from '../../../test/index/events.ts';
import { pageOf } from '../../../test/index/pageOf.ts';
import type { Trade } from '../handlers/Trade.ts';

/** A price of 1 USD is 10^12 wei of token per base unit of a dollar with 6 digits. */
const tradeAt = (block: number, seconds: number, price: bigint, fields: Partial<Trade> = {}): Trade =>
  trade(block, { at: at(block, seconds), stateA: 10n ** 12n, stateB: price, ...fields });

const usd = 10n ** 18n;
const start = { ...created, virtualTokens: 10n ** 12n, virtualUsd: 4n };

describe('addToCandles', () => {
  test('six lengths, aligned to UTC; a bucket opens at the price before its first trade', async () => {
    const page = await pageOf(chain, [
      start,
      tradeAt(2, 86_399, 6n, { grossUsd: 3n, tokens: 7n }),
      tradeAt(3, 86_400, 5n, { grossUsd: 10n, tokens: 1n }),
      tradeAt(4, 86_459, 9n, { grossUsd: 20n, tokens: 2n, side: 'sell' }),
      tradeAt(5, 86_460, 2n, { grossUsd: 40n, tokens: 4n }),
    ]);
    const candles = page.rows.candle.changed().map((row) => ({
      seconds: row.seconds,
      bucket: row.bucket.getTime() / 1000,
      prices: [row.open_usd18, row.high_usd18, row.low_usd18, row.close_usd18].map((price) => price / usd),
      volume: [row.volume_tokens, row.volume_usd18 / 10n ** 12n, row.trades],
    }));
    const ofLength = (seconds: number) =>
      candles
        .filter((candle) => candle.seconds === seconds)
        .map(({ bucket, prices, volume }) => ({ bucket, prices, volume }));
    expect(ofLength(60)).toEqual([
      { bucket: 86_340, prices: [4n, 6n, 4n, 6n], volume: [7n, 3n, 1] },
      { bucket: 86_400, prices: [6n, 9n, 5n, 9n], volume: [3n, 30n, 2] },
      { bucket: 86_460, prices: [9n, 9n, 2n, 2n], volume: [4n, 40n, 1] },
    ]);
    for (const [seconds, first] of [
      [300, 86_100],
      [900, 85_500],
      [3600, 82_800],
      [14_400, 72_000],
      [86_400, 0],
    ] as const) {
      expect(ofLength(seconds)).toEqual([
        { bucket: first, prices: [4n, 6n, 4n, 6n], volume: [7n, 3n, 1] },
        { bucket: 86_400, prices: [6n, 9n, 2n, 2n], volume: [7n, 70n, 3] },
      ]);
    }
  });

  test('the pool goes on where the curve ended', async () => {
    const page = await pageOf(chain, [
      start,
      tradeAt(2, 60, 8n),
      graduated(2),
      tradeAt(3, 120, 0n, { venue: 'pool', stateA: 2n ** 96n / 10n ** 6n }),
    ]);
    const [, second] = page.rows.candle.changed().filter(({ seconds }) => seconds === 60);
    // The dollar (0x44…) is currency 1 beside the token (0x33…): (sqrtPrice / 2^96)^2 = 10^-12 base units for a wei.
    expect(second?.open_usd18).toBe(8n * usd);
    expect((second?.close_usd18 ?? 0n) / 10n ** 9n).toBe(999_999_999n);
  });
});
