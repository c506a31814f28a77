import { MintageError, type OrderTerms, priceOrder, tokenDecimalsOn } from '@mintage/protocol';
import { answeredState } from '@mintage/sdk';
import { typedUnits } from '../../lib/amounts.ts';
import { unitsToText } from '../../lib/format.ts';
import type { EmbedMarket } from './embedMarket.ts';

export type Side = 'buy' | 'sell';

/** What an amount brings about, decimal text, all fees included; or why it brings nothing. */
export type About = { receives: string } | { wrong: 'noAmount' | 'tooMuch' | 'tooSmall' | 'unknown' };

/** Prices an amount as the contract does, at the state that was read last. What is signed is priced anew on our page. */
export const aboutOf = (trade: EmbedMarket['trade'], side: Side, text: string): About => {
  if (trade === null) return { wrong: 'unknown' };
  const { state, dollar } = trade;
  const [usd, token] = [state.usdDecimals, tokenDecimalsOn(state.chainSlug)];
  const [given, received] = side === 'buy' ? [usd, token] : ([token, usd] as const);
  const amount = typedUnits(text, given);
  if (amount === null) return { wrong: 'noAmount' };
  const terms: OrderTerms = {
    kind: side === 'buy' ? 'buyExactIn' : 'sellExactIn',
    amount,
    builderBps: 0n,
    hasReferral: false,
    hasReferrer: false,
  };
  try {
    const { trade: priced } = priceOrder(answeredState(state, { usd: dollar.address }), terms);
    return { receives: unitsToText(priced.amountOut, received) };
  } catch (error) {
    if (error instanceof MintageError)
      return { wrong: /TOO_SMALL|FEES_EXCEED/.test(error.code) ? 'tooSmall' : 'tooMuch' };
    throw error;
  }
};
