import { z } from 'zod';
import { quoteToken } from '../operations/quoteToken.ts';
import { TokenRef } from '../schemas/scalars.ts';
import { PositiveNumber } from '../schemas/tradeInput.ts';
import { tool } from './tool.ts';
import type { ToolChain } from './toolChain.ts';

const quote = quoteToken.output.shape.data.shape;

export const quote_trade_token = (chains: ToolChain) =>
  tool({
    name: 'quote_trade_token',
    description:
      'Prices a buy or sell, all fees included, without gas and without sending anything. `amount` is in the unit of ' +
      '`inputToken`, and outputAmount is in the other one.',
    operation: quoteToken,
    input: z.object({
      tokenId: TokenRef,
      chainSlug: chains,
      direction: z.enum(['buy', 'sell'], { error: 'must be buy or sell' }).default('sell'),
      amount: PositiveNumber.default(1).meta({ description: 'Whole units of inputToken.' }),
      inputToken: z.enum(['token', 'usdc'], { error: 'must be token or usdc' }).default('token'),
    }),
    output: z.object({
      inputAmount: quote.inputAmount,
      inputAmountRaw: quote.inputAmountRaw,
      outputAmount: quote.outputAmount,
      outputAmountRaw: quote.outputAmountRaw,
      protocol: quote.protocol,
      isGraduated: quote.isGraduated,
      timestamp: quote.timestamp,
      expiresAt: quote.expiresAt,
      priceImpactBps: quote.priceImpactBps,
      fees: quote.fees,
      antiSnipe: quote.antiSnipe,
    }),
    toInput: (parameters) => parameters,
    toAnswer: ({ data }: z.output<typeof quoteToken.output>) => ({
      inputAmount: data.inputAmount,
      inputAmountRaw: data.inputAmountRaw,
      outputAmount: data.outputAmount,
      outputAmountRaw: data.outputAmountRaw,
      protocol: data.protocol,
      isGraduated: data.isGraduated,
      timestamp: data.timestamp,
      expiresAt: data.expiresAt,
      priceImpactBps: data.priceImpactBps,
      fees: data.fees,
      antiSnipe: data.antiSnipe,
    }),
    example: { tokenId: 'paper-boat', chainSlug: 'base-sepolia', direction: 'buy', amount: 25, inputToken: 'usdc' },
  });
