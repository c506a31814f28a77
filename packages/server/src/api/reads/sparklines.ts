import { sparklineSeconds, sparklineSteps } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import { tokensByRefs } from '../tokens/tokensByRefs.ts';

/** The prices of one token in its last 24 hours, USD with 18 fraction digits. */
export interface Sparkline {
  /** Its reference. */
  asked: string;
  tokenId: string;
  fromMs: number;
  stepSeconds: (typeof sparklineSeconds)[number];
  /** At `fromMs`, at the end of each step, and now; at least two. */
  prices18: bigint[];
  /** 24 hours ago, or at the creation; null while the windows are not computed. */
  then18: bigint | null;
  now18: bigint;
}

interface SparklineRow {
  place: number;
  token_id: string;
  created: number;
  now: number;
  step: (typeof sparklineSeconds)[number];
  price_usd18: bigint;
  first_usd18: bigint;
  then_usd18: bigint | null;
  /** Starts of the candles that were traded in, unix seconds, and their closes. */
  buckets: number[] | null;
  closes: string[] | null;
}

const daySeconds = 86_400;
const longestStep = Math.max(...sparklineSeconds);
/** The longest candles that half hours are made of. */
const longestCandle = 900;

/**
 * All of them by one statement: of each token the candles of its last day, at most 96, and what it cost before.
 *
 * @param eids - Of served chains; tokens with another home are left out.
 */
export const readSparklines = async (
  db: Db,
  refs: readonly string[],
  eids: readonly number[],
): Promise<Sparkline[]> => {
  const { rows } = await sql<SparklineRow>`
    with asked as materialized (${tokensByRefs(refs)}), found as materialized (
      select asked.place, token.eid, token.address, token.token_id, token.price_usd18, token.start_price_usd18,
        token.created_at, ${epoch('token.created_at')} as created, clock.now,
        coalesce((select min(step) from unnest(${[...sparklineSeconds]}::int[]) step
          where step * ${sparklineSteps - 1} >= clock.now - ${epoch('token.created_at')}), ${longestStep}::int) as step,
        token_window.price_then_usd18_24h as then_usd18
      from asked join token using (eid, address) join chain using (eid)
      cross join lateral (select greatest(
        ${epoch('coalesce(chain.indexed_time, token.last_trade_at, token.created_at)')}, ${epoch('token.created_at')}
      ) as now) clock
      left join token_window on token_window.eid = token.eid and token_window.token = token.address
        and chain.rolled_block = chain.indexed
      where token.eid = any(${[...eids]}::bigint[])
    )
    select place, token_id, created, now, step, price_usd18, then_usd18, traded.buckets, traded.closes,
      coalesce(before.close_usd18, start_price_usd18) as first_usd18
    from found
    cross join lateral (select to_timestamp((now - ${daySeconds}) / step * step + step) as start) line
    left join lateral (
      select array_agg(${epoch('bucket')}::float8 order by bucket) as buckets, array_agg(close_usd18::text order by bucket) as closes
      from candle where candle.eid = found.eid and candle.token = found.address
        and seconds = least(step, ${longestCandle}) and bucket >= line.start
    ) traded on true
    left join lateral (
      select close_usd18 from candle where candle.eid = found.eid and candle.token = found.address
        and seconds = least(step, ${longestCandle}) and bucket < line.start
      order by bucket desc limit 1
    ) before on true
    order by place`.execute(db);
  return rows.map((row) => ({
    asked: refs[row.place - 1] as string,
    tokenId: row.token_id,
    stepSeconds: row.step,
    ...lineOf(row),
    then18: row.then_usd18,
    now18: row.price_usd18,
  }));
};

/** Whole seconds since 1970; blocks have no fractions of them. */
const epoch = (column: string) => sql`floor(extract(epoch from ${sql.raw(column)}))::int8`;

const lineOf = ({ created, now, step, first_usd18: first, ...row }: SparklineRow) => {
  const [buckets, closes] = [row.buckets ?? [], row.closes ?? []];
  const dayStart = (Math.floor((now - daySeconds) / step) + 1) * step;
  const from = Math.max(dayStart, created);
  const prices18 = [first];
  let traded = 0;
  for (let end = Math.floor(from / step) * step + step; end - step <= now; end += step) {
    while ((buckets[traded] ?? end) < end) traded += 1;
    prices18.push(BigInt(closes[traded - 1] ?? first));
  }
  return { fromMs: from * 1_000, prices18 };
};
