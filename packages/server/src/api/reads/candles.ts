import type { Row } from '../../db/chainTables.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';

const shown = [
  'open_usd18',
  'high_usd18',
  'low_usd18',
  'close_usd18',
  'volume_tokens',
  'volume_usd18',
  'trades',
] as const;

type Candle = Pick<Row<'candle'>, (typeof shown)[number]> & { startMs: number };

export interface CandleRange {
  /** Length of a bucket. */
  seconds: number;
  /** Milliseconds since 1970, the end exclusive; undefined: from the creation, to the newest indexed block. */
  fromMs: number | undefined;
  toMs: number | undefined;
  /** Buckets, as `offset`. */
  limit: number;
  offset: number;
  /** Oldest first. */
  ascending: boolean;
}

/**
 * One page of a token's candles without gaps: a bucket without trades repeats the last close, before the first trade the
 * price at creation. There are buckets from the creation to the newest indexed block.
 */
export const readCandles = async (db: Db, token: KnownToken, range: CandleRange): Promise<Candle[]> => {
  const starts = pageOfStarts(range, token.created_at.getTime(), await newestTimeOf(db, token));
  const [first, last] = range.ascending ? [starts[0], starts.at(-1)] : [starts.at(-1), starts[0]];
  if (first === undefined || last === undefined) return [];
  const ofToken = db
    .selectFrom('candle')
    .select(['bucket', ...shown])
    .where('eid', '=', token.eid)
    .where('token', '=', token.address)
    .where('seconds', '=', range.seconds);
  const [rows, [before]] = await Promise.all([
    prepared(
      db,
      ofToken.where('bucket', '>=', new Date(first)).where('bucket', '<=', new Date(last)).orderBy('bucket'),
    ),
    prepared(db, ofToken.where('bucket', '<', new Date(first)).orderBy('bucket', 'desc').limit(1)),
  ]);
  const traded = new Map(rows.map((row) => [row.bucket.getTime(), row]));
  let close = before?.close_usd18 ?? token.start_price_usd18;
  const oldestFirst = range.ascending ? starts : starts.toReversed();
  const candles = oldestFirst.map((startMs): Candle => {
    const row = traded.get(startMs);
    if (row === undefined) return { startMs, ...quiet(close) };
    close = row.close_usd18;
    return { startMs, ...row };
  });
  return range.ascending ? candles : candles.toReversed();
};

const quiet = (price: bigint) => ({
  open_usd18: price,
  high_usd18: price,
  low_usd18: price,
  close_usd18: price,
  volume_tokens: 0n,
  volume_usd18: 0n,
  trades: 0,
});

/** Time of the newest indexed block; every indexed token has one. */
const newestTimeOf = async (db: Db, token: KnownToken): Promise<number> => {
  const [chain] = await prepared(db, db.selectFrom('chain').select('indexed_time').where('eid', '=', token.eid));
  return (chain?.indexed_time ?? token.last_trade_at ?? token.created_at).getTime();
};

/** Start times of the page's buckets in the requested order. They are computed, so a deep page costs no more. */
const pageOfStarts = (range: CandleRange, createdMs: number, newestMs: number): number[] => {
  const { seconds, fromMs = createdMs, toMs = newestMs + 1, limit, offset, ascending } = range;
  const lengthMs = seconds * 1_000;
  const first = Math.floor(Math.max(fromMs, createdMs) / lengthMs);
  const end = Math.ceil(Math.min(toMs, newestMs + 1) / lengthMs);
  const count = Math.max(0, Math.min(limit, end - first - offset));
  return Array.from(
    { length: count },
    (_, index) => (ascending ? first + offset + index : end - 1 - offset - index) * lengthMs,
  );
};
