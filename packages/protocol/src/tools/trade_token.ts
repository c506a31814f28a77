import { z } from 'zod';
import { tradeToken } from '../operations/tradeToken.ts';
import { AddressText, BaseUnits, optional } from '../schemas/scalars.ts';
import { AutoExecute, TransactionHash, tool } from './tool.ts';
import type { ToolChain } from './toolChain.ts';

const { shape } = tradeToken.input;
const answer = tradeToken.output.shape;
const brief = answer.metadata.shape;

export const trade_token = (chains: ToolChain) =>
  tool({
    name: 'trade_token',
    description:
      'Buys or sells a token, or prepares it. Give exactly one amount that fits the direction; a number is whole units, ' +
      'a string base units. Without autoExecute nothing is sent: show the user `transactions` and what `quote` says.',
    operation: tradeToken,
    input: z.object({
      tokenId: shape.tokenId,
      chainSlug: chains,
      direction: shape.direction,
      buyAmountUSD: shape.buyAmountUSD,
      buyAmountToken: shape.buyAmountToken,
      sellAmountToken: shape.sellAmountToken,
      sellAmountUSD: shape.sellAmountUSD,
      autoExecute: AutoExecute,
      userAddress: optional(AddressText).meta({
        description: 'The wallet that will send the transaction; absent: the embedded wallet. Not with autoExecute.',
      }),
    }),
    output: z.object({
      success: z.boolean(),
      transactionHash: TransactionHash,
      inputAmount: brief.inputAmount.meta({ description: 'What leaves the trader, whole units, fees included.' }),
      inputAmountRaw: BaseUnits,
      outputAmount: brief.outputAmount.meta({ description: 'What reaches the trader, whole units.' }),
      outputAmountRaw: BaseUnits,
      protocol: brief.protocol,
      isGraduated: z.boolean(),
      executed: answer.executed,
      intentId: answer.intentId,
      transactions: answer.transactions.meta({ description: 'For the user’s own wallet, in order.' }),
      quote: answer.quote,
      warnings: answer.warnings,
    }),
    toInput: ({ autoExecute, ...fields }) => ({ ...fields, ...(autoExecute ? { execute: true } : {}) }),
    toAnswer: (traded: z.output<typeof tradeToken.output>) => ({
      success: traded.success,
      transactionHash: traded.transactionHash,
      inputAmount: traded.metadata.inputAmount,
      inputAmountRaw: traded.quote.inputAmountRaw,
      outputAmount: traded.metadata.outputAmount,
      outputAmountRaw: traded.quote.outputAmountRaw,
      protocol: traded.metadata.protocol,
      isGraduated: traded.quote.isGraduated,
      executed: traded.executed,
      intentId: traded.intentId,
      transactions: traded.transactions,
      quote: traded.quote,
      warnings: traded.warnings,
    }),
    example: {
      tokenId: 'paper-boat',
      chainSlug: 'base-sepolia',
      direction: 'buy',
      buyAmountUSD: 10,
      userAddress: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    },
  });
