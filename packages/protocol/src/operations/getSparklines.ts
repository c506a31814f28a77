import { z } from 'zod';
import { DecimalText, IsoTime, TokenRef, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

/** Lengths of a step in seconds: the shortest that covers the shown time in `sparklineSteps`. */
export const sparklineSeconds = [60, 300, 900, 1_800] as const;
/** Steps of a whole day; no line has more. */
export const sparklineSteps = 48;

const Sparkline = z
  .strictObject({
    asked: TokenRef.meta({ description: 'As it was asked for.' }),
    token_id: Uuid.meta({ description: 'Id of the token.' }),
    from: IsoTime.meta({ description: 'Time of the first price.' }),
    step_seconds: z
      .literal(sparklineSeconds)
      .meta({ description: 'Time between two prices; shorter for young tokens.' }),
    closes: z
      .array(DecimalText)
      .min(2)
      .max(sparklineSteps + 1)
      .meta({
        description:
          'Prices in USD: at `from`, at the end of each step, and now. Where nothing was traded the price before is repeated.',
      }),
    change_24h_pct: DecimalText.nullable().meta({
      description: 'Of the price in the last 24 hours, or since the creation; null while it is not known, or from 0.',
    }),
  })
  .meta({ id: 'Sparkline' });

export const getSparklines = operation({
  name: 'getSparklines',
  summary: 'Returns the prices of the last 24 hours of up to 100 tokens, as small charts show them.',
  description:
    'In the order of the question. References that no token is known by are left out. A line begins 24 hours before the newest ' +
    'indexed block of the token’s home chain, or with the creation of the token. Steps end at multiples of their length in UTC, so the ' +
    'first and the last one are shorter.',
  method: 'POST',
  path: '/get-sparklines',
  tag: 'Tokens',
  input: z.object({
    token_ids: z
      .array(TokenRef)
      .min(1, 'must name at least one token')
      .max(100, 'must be at most 100 tokens')
      .meta({ description: 'Up to 100 tokens, each by its id, platform id, contract address or slug.' }),
  }),
  output: z.strictObject({ success: z.literal(true), sparklines: z.array(Sparkline) }),
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { token_ids: ['my-token'] },
});
