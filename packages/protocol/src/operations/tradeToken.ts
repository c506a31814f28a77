import { z } from 'zod';
import { executionAnswer, executionErrors } from '../schemas/executionParts.ts';
import { TradeTransaction, TransactionItem } from '../schemas/prepared.ts';
import { TradeQuote, Warning } from '../schemas/quoteParts.ts';
import { ChainSlug, IsoTime, optional, TokenRef } from '../schemas/scalars.ts';
import { orderOptions, PositiveNumber, slippageOption, TokenAmount } from '../schemas/tradeInput.ts';
import { ProtocolName } from '../schemas/venue.ts';
import { operation } from './operation.ts';

const input = z.object({
  tokenId: TokenRef.meta({ description: 'Token to trade.' }),
  chainSlug: ChainSlug.meta({ description: 'Chain to trade on: the token’s home while it is on the curve.' }),
  direction: z
    .enum(['buy', 'sell'], { error: 'must be buy or sell' })
    .meta({ description: 'buy: dollars for tokens. sell: tokens for dollars.' }),
  buyAmountUSD: optional(PositiveNumber).meta({ description: 'Buy for exactly this many dollars, fees included.' }),
  buyAmountToken: optional(TokenAmount).meta({ description: 'Buy exactly this many tokens.' }),
  sellAmountToken: optional(TokenAmount).meta({ description: 'Sell exactly this many tokens.' }),
  sellAmountUSD: optional(PositiveNumber).meta({ description: 'Sell so that exactly this many dollars arrive.' }),
  ...slippageOption,
  ...orderOptions,
});

const metadata = z
  .strictObject({
    protocol: ProtocolName.meta({ description: 'Where it is traded: on the curve, or on the pool of that exchange.' }),
    isGraduated: z.boolean().meta({ description: 'Whether the token has left the curve.' }),
    inputAmount: z.number().meta({ description: 'What you pay, fees included.' }),
    outputAmount: z.number().meta({ description: 'What you get at this moment, after fees.' }),
    minOutputAmount: z.number().meta({ description: 'Least that you get, or the trade reverts.' }),
    maxInputAmount: z.number().meta({ description: 'Most that you pay, or the trade reverts.' }),
    feeUsd: z.number().meta({ description: 'All fees together.' }),
    priceImpactPct: z.number().meta({ description: 'How much the trade itself moves the price.' }),
    slippageBps: z.int().meta({ description: 'How much worse than quoted the trade may be.' }),
    gasEstimate: z.string().meta({ description: 'Most gas of the trade, decimal digits.' }),
    timestamp: IsoTime.meta({ description: 'When this was prepared.' }),
  })
  .meta({ description: 'The short form of `quote`, for display: numbers in whole units.' });

export const tradeToken = operation({
  name: 'tradeToken',
  summary:
    'Prepares the transactions of a buy or sell on the curve or the pool, with quote, limit, fees and simulation.',
  description:
    'Send exactly one amount, one that fits the direction. The answer’s `transactions` are for your own wallet, in ' +
    'order; `transaction` is the last of them. With `execute: true` your embedded wallet sends them.',
  method: 'POST',
  path: '/trade-token',
  tag: 'Trading',
  input,
  output: z.strictObject({
    success: z.literal(true),
    ...executionAnswer,
    transaction: TradeTransaction,
    transactions: z.array(TransactionItem).min(1),
    quote: TradeQuote,
    metadata,
    warnings: z.array(Warning),
  }),
  errors: [
    'AUTHENTICATION_FAILED',
    'UNSUPPORTED_CHAIN',
    'TOKEN_NOT_FOUND',
    'NO_VENUE_ON_CHAIN',
    'AMOUNT_TOO_SMALL',
    'BEYOND_CURVE',
    'BEYOND_RESERVE',
    'PARTIAL_FILL',
    'FEES_EXCEED_AMOUNT',
    'SLIPPAGE_TOO_HIGH',
    ...executionErrors,
  ],
  access: 'caller',
  scope: 'prepare',
  limit: 'writeWhenExecuted',
  errorShape: 'A',
  example: {
    tokenId: 'my-token',
    chainSlug: 'base-sepolia',
    direction: 'buy',
    buyAmountUSD: 25,
    userAddress: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  },
});
