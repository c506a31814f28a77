import type { TradeQuote } from '@mintage/protocol/operations';
import { expect } from 'vitest';
import type { Trade } from '../../src/index/handlers/Trade.ts';
import type { Block } from './madeUpChain.ts';

/** Figures of trades, to be compared to the base unit. */

/** What a quote says, in the words of the chain's event. */
export const quoted = (
  quote: Pick<TradeQuote, 'inputAmountRaw' | 'outputAmountRaw' | 'fees' | 'state'>,
  side: string,
) => {
  const part = (kind: string): bigint => BigInt(quote.fees.find((line) => line.kind === kind)?.amountUsdRaw ?? 0);
  const base = part('creator') + part('token_referral') + part('treasury');
  const fees = base + part('builder') + part('anti_snipe');
  const [paid, received] = [BigInt(quote.inputAmountRaw), BigInt(quote.outputAmountRaw)];
  return {
    side,
    grossUsd: side === 'buy' ? paid : received + fees,
    tokens: side === 'buy' ? received : paid,
    feeBps: quote.state.feeBps,
    base,
    excess: part('anti_snipe'),
    builderFee: part('builder'),
  };
};

/** What the chain did, in the same words. */
export const filled = ({ side, grossUsd, tokens, feeBps, base, excess, builderFee }: Trade) => ({
  side,
  grossUsd,
  tokens,
  feeBps,
  base,
  excess,
  builderFee,
});

/** The one trade of a block. */
export const tradeIn = ({ events }: Block): Trade => {
  const trades = events.filter((event) => event.name === 'Trade');
  expect(trades).toHaveLength(1);
  return trades[0] as Trade;
};
