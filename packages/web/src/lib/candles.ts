import type { Candle as CandleRecord } from '@mintage/sdk';

/** Seconds of each interval. */
export const intervals = { '1m': 60, '5m': 300, '15m': 900, '1h': 3_600, '4h': 14_400, '1d': 86_400 } as const;
export type Interval = keyof typeof intervals;

/** Times the price it is the market cap: every token has this supply. */
export const supply = 1_000_000_000;

/** Market cap in dollars over one interval, for the eyes: `time` is its start in Unix seconds, `volume` gross dollars. */
export type Candle = readonly [time: number, open: number, high: number, low: number, close: number, volume: number];

export interface Candles {
  interval: Interval;
  /** Oldest first, without gaps. */
  list: readonly Candle[];
  /** Nothing is older. */
  isWhole: boolean;
  /** From here on they are read again: the chain took something back. Unix seconds; null: only the newest. */
  rereadFrom: number | null;
}

export const candleOf = (record: CandleRecord): Candle => [
  Date.parse(record.bucket_start) / 1_000,
  Number(record.open_price_usd) * supply,
  Number(record.high_price_usd) * supply,
  Number(record.low_price_usd) * supply,
  Number(record.close_price_usd) * supply,
  Number(record.volume_usd),
];

/** The shortest interval that shows the token's life in not too many candles. */
export const intervalFor = (ageMs: number): Interval =>
  (Object.keys(intervals) as Interval[]).find((interval) => ageMs / 1_000 / intervals[interval] <= mostAtFirst) ?? '1d';

const mostAtFirst = 180;

export const bucketOf = (atMs: number, interval: Interval): number => {
  const seconds = intervals[interval];
  return Math.floor(atMs / 1_000 / seconds) * seconds;
};

/** With a trade in its candle. Intervals between the last one and it had no trades, and repeat the close. */
export const withTradeIn = (candles: Candles, trade: { at: string; marketCap: string; usd: string }): Candles => {
  const { list, interval } = candles;
  const last = list.at(-1);
  const time = bucketOf(Date.parse(trade.at), interval);
  const now = Number(trade.marketCap);
  // One of before the newest candle is read again with all others.
  if (last === undefined || time < last[0])
    return { ...candles, rereadFrom: Math.min(time, candles.rereadFrom ?? time) };
  const next = [...list];
  for (let at = last[0] + intervals[interval]; at <= time; at += intervals[interval])
    next.push([at, last[4], last[4], last[4], last[4], 0]);
  const [at, open, high, low, , volume] = next.pop() as Candle;
  next.push([at, open, Math.max(high, now), Math.min(low, now), now, volume + Number(trade.usd)]);
  return { ...candles, list: next };
};

/** With newer ones, which count where both have an interval. */
export const withNewer = (shown: Candles, newer: readonly Candle[]): Candles => {
  const from = newer[0]?.[0] ?? Number.POSITIVE_INFINITY;
  return { ...shown, list: [...shown.list.filter(([time]) => time < from), ...newer], rereadFrom: null };
};

/** With older ones before. */
export const withEarlier = (shown: Candles, earlier: readonly Candle[], limit: number): Candles => {
  const first = shown.list[0]?.[0] ?? Number.POSITIVE_INFINITY;
  return {
    ...shown,
    list: [...earlier.filter(([time]) => time < first), ...shown.list],
    isWhole: earlier.length < limit,
  };
};
