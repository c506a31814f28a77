import { z } from 'zod';
import { limitUpTo, offsetUpTo } from '../schemas/paging.ts';
import { ShownPlatformId } from '../schemas/platformId.ts';
import { DecimalText, IsoTime, optional, TokenRef } from '../schemas/scalars.ts';
import { CountText, RawText, wallet } from '../schemas/tokenHistory.ts';
import { operation } from './operation.ts';

/** Length of each interval in seconds. */
export const candleSeconds = { '1m': 60, '5m': 300, '15m': 900, '1h': 3_600, '4h': 14_400, '1d': 86_400 } as const;
const intervals = Object.keys(candleSeconds) as [keyof typeof candleSeconds];

const CandleInterval = z.enum(intervals, { error: `must be one of ${intervals.join(', ')}` });

const Time = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time such as 2030-01-01T00:00:00Z' });

const Candle = z
  .looseObject({
    chain: z.string().meta({ description: 'Home chain of the token.' }),
    platform_id: ShownPlatformId,
    token_address: wallet.meta({ description: 'Contract address of the token.' }),
    venue: z.string().meta({ description: 'Always `all`: curve and pool are one series.' }),
    candle_interval: CandleInterval.meta({ description: 'As asked.' }),
    bucket_start: IsoTime.meta({ description: 'Inclusive.' }),
    bucket_end: IsoTime.meta({ description: 'Exclusive.' }),
    open_price_usd: DecimalText.meta({ description: 'The price before the first trade of the interval.' }),
    open_price_usd_raw: RawText.meta({ description: 'USD with 18 fraction digits, like every `_raw` price.' }),
    high_price_usd: DecimalText.meta({ description: 'Highest price of the interval.' }),
    high_price_usd_raw: RawText.meta({ description: '`high_price_usd`.' }),
    low_price_usd: DecimalText.meta({ description: 'Lowest price of the interval.' }),
    low_price_usd_raw: RawText.meta({ description: '`low_price_usd`.' }),
    close_price_usd: DecimalText.meta({ description: 'Price after the last trade.' }),
    close_price_usd_raw: RawText.meta({ description: '`close_price_usd`.' }),
    volume_token: DecimalText.meta({ description: 'Tokens that were traded.' }),
    volume_token_raw: RawText.meta({ description: '`volume_token`, in the token’s base units.' }),
    volume_usd: DecimalText.meta({ description: 'Gross, fees included.' }),
    volume_usd_raw: RawText.meta({ description: 'Base units of the chain’s dollar.' }),
    trade_count: CountText.meta({ description: 'Trades of the interval.' }),
    trade_count_raw: CountText.meta({ description: 'The same.' }),
  })
  .meta({ id: 'Candle' });

export const getTokenCandles = operation({
  name: 'getTokenCandles',
  summary: 'Returns open, high, low, close and volume of a token by interval.',
  description:
    'Intervals start at multiples of their length in UTC. The answer has one candle for every interval in the range ' +
    'between the token’s creation and the newest indexed block; an interval without trades repeats the last close ' +
    'with volume 0. For the newest candles ask with `ascending: false`.',
  method: 'POST',
  path: '/get-token-candles',
  tag: 'Tokens',
  input: z.object({
    token_id: TokenRef,
    candle_interval: CandleInterval.default('1h').meta({ description: 'Absent means 1h.' }),
    venue: optional(z.string().min(1).max(64)).meta({ description: 'Absent: `all`, the only series.' }),
    from_timestamp: optional(Time).meta({ description: 'Absent: from the creation.' }),
    to_timestamp: optional(Time).meta({ description: 'Exclusive. Absent: to the newest indexed block.' }),
    limit: limitUpTo(5000, 500),
    // Where a page starts is computed, so a deep one costs nothing.
    offset: offsetUpTo(10_000_000),
    ascending: z.boolean().default(true).meta({ description: 'Absent or true: oldest first.' }),
  }),
  output: z.object({ success: z.literal(true), candles: z.array(Candle) }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { token_id: 'my-token', candle_interval: '1m', ascending: false, limit: 100 },
});
