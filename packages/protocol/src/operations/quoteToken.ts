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
    tokenSymbol: z.string().meta({ description: 'Ticker of the token.' }),
    tokenName: z.string().meta({ description: 'Name of the token.' }),
    chainSlug: ChainSlug.meta({ description: 'Where it is traded.' }),
    direction: z.enum(['buy', 'sell']).meta({ description: 'As asked.' }),
    inputToken: z.enum(['token', 'usdc']).meta({ description: 'Unit of `inputAmount`, as asked.' }),
    inputAmount: z.number().meta({ description: 'Echoes amount, in the unit of inputToken.' }),
    inputAmountRaw: BaseUnits.meta({ description: '`inputAmount`, of the token or the chain’s dollar.' }),
    outputAmount: z.number().meta({ description: 'In the other unit, all fees included.' }),
    outputAmountRaw: BaseUnits.meta({ description: '`outputAmount`, of the other of the two.' }),
    inputTokenSymbol: z.string().meta({ description: 'Of what `inputAmount` counts.' }),
    outputTokenSymbol: z.string().meta({ description: 'Of what `outputAmount` counts.' }),
    protocol: ProtocolName.meta({ description: 'Where it is traded: on the curve, or on the pool of that exchange.' }),
    isGraduated: z.boolean().meta({ description: 'Whether the token has left the curve.' }),
    initFee: z.number().optional().meta({ description: '0 before graduation: creating costs no fee.' }),
    usedAmountRaw: BaseUnits.meta({
      description:
        'Part of `inputAmountRaw` that is used; less than all only if a buy for dollars takes everything left on the curve.',
    }),
    priceImpactBps: z.int().meta({ description: 'How much the trade itself moves the price.' }),
    fees: z.array(FeeLine).meta({ description: 'Every fee by who gets it.' }),
    ...poolFees,
    antiSnipe: AntiSnipe.nullable().meta({
      description: 'The opening fee of a token’s first 6 seconds; null for a sell and afterwards.',
    }),
    state: QuoteState,
    expiresAt: IsoTime.meta({ description: 'When the quote is out of date.' }),
    timestamp: IsoTime.meta({ description: 'When it was computed.' }),
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
    chainSlug: ChainSlug.meta({ description: 'Chain to trade on: the token’s home while it is on the curve.' }),
    tokenId: optional(TokenRef).meta({
      description: 'Token to price: id, platform id, contract address or slug. Absent: a token not created yet.',
    }),
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
