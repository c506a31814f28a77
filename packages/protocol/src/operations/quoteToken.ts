import { z } from 'zod';
import { AntiSnipe, FeeLine, poolFees, QuoteState } from '../schemas/quoteParts.ts';
import { BaseUnits, ChainSlug, IsoTime, optional, TokenRef, Uuid } from '../schemas/scalars.ts';
import { PoolTypeSlug, PositiveNumber } from '../schemas/tradeInput.ts';
import { ProtocolName } from '../schemas/venue.ts';
import { operation } from './operation.ts';

/** Wire contract 6.3, with exact twins and the state behind the figures. */
const Quote = z
  .strictObject({
    tokenId: Uuid.meta({ description: 'The nil UUID for a token not created yet.' }),
    tokenSymbol: z.string(),
    tokenName: z.string(),
    chainSlug: ChainSlug,
    direction: z.enum(['buy', 'sell']),
    inputToken: z.enum(['token', 'usdc']),
    inputAmount: z.number().meta({ description: 'Echoes amount, in the unit of inputToken.' }),
    inputAmountRaw: BaseUnits,
    outputAmount: z.number().meta({ description: 'In the other unit, all fees included.' }),
    outputAmountRaw: BaseUnits,
    inputTokenSymbol: z.string(),
    outputTokenSymbol: z.string(),
    protocol: ProtocolName,
    isGraduated: z.boolean(),
    initFee: z.number().optional().meta({ description: '0 before graduation: creating costs no fee.' }),
    usedAmountRaw: BaseUnits.meta({
      description:
        'Part of `inputAmountRaw` that is used; less than all only if a buy for dollars takes everything left on the curve.',
    }),
    priceImpactBps: z.int(),
    fees: z.array(FeeLine),
    ...poolFees,
    antiSnipe: AntiSnipe.nullable(),
    state: QuoteState,
    expiresAt: IsoTime,
    timestamp: IsoTime,
  })
  .meta({ id: 'Quote' });

export const quoteToken = operation({
  name: 'quoteToken',
  summary: 'Returns the price of a buy or sell on the curve or the pool, all fees included.',
  description:
    'Computed from the index; the answer names the block. `amount` is in the unit of `inputToken`, and the output is ' +
    'in the other unit: buy with `usdc` returns tokens received; buy with `token` dollars paid; sell with `token` ' +
    'dollars received; sell with `usdc` tokens needed. Without `tokenId`: the first trade of a new token of ' +
    '`poolType`.',
  method: 'POST',
  path: '/quote-token',
  also: [{ method: 'POST', path: '/token-price' }],
  tag: 'Trading',
  input: z.object({
    chainSlug: ChainSlug,
    tokenId: optional(TokenRef),
    poolType: optional(PoolTypeSlug).meta({ description: 'Absent: meme.' }),
    amount: optional(PositiveNumber).meta({ description: 'Whole units; absent: 1.' }),
    direction: optional(z.enum(['buy', 'sell'], { error: 'must be buy or sell' })).meta({
      description: 'Absent: sell.',
    }),
    inputToken: optional(z.enum(['token', 'usdc'], { error: 'must be token or usdc' })).meta({
      description: 'Absent: token.',
    }),
  }),
  output: z.strictObject({ success: z.literal(true), data: Quote }),
  errors: [
    'UNSUPPORTED_CHAIN',
    'TOKEN_NOT_FOUND',
    'NO_VENUE_ON_CHAIN',
    'AMOUNT_TOO_SMALL',
    'BEYOND_CURVE',
    'BEYOND_RESERVE',
    'PARTIAL_FILL',
    'NETWORK_ERROR',
  ],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { chainSlug: 'base-sepolia', amount: 100, direction: 'buy', inputToken: 'usdc', poolType: 'meme' },
});
