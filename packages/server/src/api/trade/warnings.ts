import { formatUnits } from '@mintage/protocol';
import type { Warning } from '@mintage/protocol/operations';
import type { ChainReading, Outcome } from '../../chain/chainClient.ts';
import { isShort, percent } from './describe.ts';
import type { Quote } from './quote.ts';
import { highSlippageBps } from './terms.ts';

const noticeableImpactBps = 300;
/** Builder fee above which a warning is added, basis points: product.md, section 3, row 10. */
const usualBuilderBps = 100;

/** Warnings to show before signing. User interfaces ask for acknowledgements; the API only lists the warnings. */
export const warningsOf = (quote: Quote, slippageBps: number, outcome: Outcome | null): Warning[] => {
  const warnings: Warning[] = [];
  const warn = (code: string, sentence: string) => warnings.push({ code, sentence });
  const { window, intent, trade, order, market } = quote;
  if (window !== null)
    warn(
      'ANTI_SNIPE_WINDOW',
      `The opening fee is ${percent(window.feeBps)} now and ${percent(100)} in ${window.secondsLeft} s.`,
    );
  if (quote.priceImpactBps >= noticeableImpactBps)
    warn('PRICE_IMPACT', `This trade is ${percent(quote.priceImpactBps)} worse than the current price.`);
  if (slippageBps > highSlippageBps)
    warn('SLIPPAGE', `The result may be up to ${percent(slippageBps)} worse than quoted.`);
  if (intent.builder !== null && intent.builder.feeBps > usualBuilderBps)
    warn('BUILDER_FEE', `The builder takes ${percent(intent.builder.feeBps)} of this trade.`);
  if (isShort(quote))
    warn(
      'REWARDS_SHORT',
      'The treasury has earned too little with this token yet to pay all of the referral, referrer and cashback of this trade.',
    );
  if (quote.completes && order.kind === 'buyExactIn' && trade.amountIn < order.amount)
    warn(
      'CURVE_END',
      `Only ${formatUnits(trade.amountIn, market.usd.decimals)} ${market.usd.symbol} are needed for all tokens left on the curve; the rest stays with you.`,
    );
  if (quote.beyondReserve)
    warn(
      'BEYOND_RESERVE',
      'Nobody can hold this many tokens yet: the price is by the formula, the chain refuses the sell.',
    );
  return [...warnings, ...simulationWarnings(outcome)];
};

/** @param outcome - Null when the caller asked for no simulation. */
export const simulationWarnings = (outcome: Outcome | null): Warning[] => {
  switch (outcome?.ok) {
    case null:
      return [
        { code: 'NOT_SIMULATED', sentence: 'The chain’s provider cannot simulate: the transaction was not tried.' },
      ];
    case false:
      return [{ code: 'SIMULATION_FAILED', sentence: outcome.error.message }];
    default:
      return [];
  }
};

/** @param reading - Null when the caller asked not to read the chain. */
export const readingWarnings = (reading: Pick<ChainReading, 'isAlone'> | null): Warning[] =>
  reading?.isAlone
    ? [
        {
          code: 'ONE_PROVIDER',
          sentence: 'Only one provider of the chain answers now: no second one confirms the state behind this.',
        },
      ]
    : [];
