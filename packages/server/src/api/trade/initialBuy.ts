import { type Decimals, type ExactAmount, formatUnits, invalid, limitOf, unitsOf } from '@mintage/protocol';
import type { Market } from '../../chain/market.ts';
import type { Quote } from './quote.ts';

/** The amounts of a creation's initial buy; 0 counts as absent. */
export interface InitialBuyFields {
  /** Dollars to spend. */
  amountIn?: number;
  /** Whole tokens to receive. */
  tokensOut?: number;
  /** Most dollars to spend, fees included. */
  maxAmountIn?: number;
}

export interface InitialBuy extends ExactAmount {
  /** Most USD base units that the caller pays; null: the quoted amount. */
  maxUsd: bigint | null;
}

/**
 * The initial buy, null for none. `tokensOut` wins over `amountIn` and needs `maxAmountIn`.
 *
 * @throws INVALID_PARAMETERS naming the field.
 */
export const initialBuyOf = (input: InitialBuyFields, decimals: Decimals): InitialBuy | null => {
  if (input.tokensOut) {
    if (!input.maxAmountIn) throw invalid('maxAmountIn', 'is required with tokensOut: the most dollars to spend');
    return {
      kind: 'buyExactOut',
      amount: unitsOf(input.tokensOut, decimals.token, 'tokensOut'),
      maxUsd: unitsOf(input.maxAmountIn, decimals.usd, 'maxAmountIn'),
    };
  }
  if (!input.amountIn) return null;
  return { kind: 'buyExactIn', amount: unitsOf(input.amountIn, decimals.usd, 'amountIn'), maxUsd: null };
};

/**
 * The limit of the initial buy. It runs in the same transaction as the creation, so nobody trades before it and it
 * gives exactly what was quoted: so the limit is the quote itself, or the caller's own bound.
 *
 * @throws INVALID_PARAMETERS when the buy costs more than `maxAmountIn`: the whole creation would revert.
 */
export const initialLimitOf = (buy: InitialBuy, { trade }: Quote, usd: Market['usd']): bigint => {
  if (buy.maxUsd === null) return limitOf(trade, 0n);
  if (trade.amountIn <= buy.maxUsd) return buy.maxUsd;
  const cost = `${formatUnits(trade.amountIn, usd.decimals)} ${usd.symbol}`;
  throw invalid('maxAmountIn', `is less than what these tokens cost with the opening fee: ${cost}`);
};
