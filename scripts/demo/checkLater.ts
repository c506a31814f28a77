import { quoteCurve } from '@mintage/protocol';
import type { Quote } from './quote.ts';
import type { Report } from './report.ts';

/** A buy on the curve that came in a later second of the window than it was quoted for. */
export interface LaterBuy {
  /** Base units. */
  paid: bigint;
  received: bigint;
  feeBps: bigint;
  builderBps: bigint;
  hasReferral: boolean;
  hasReferrer: boolean;
}

/** The chain must have done what the formula says for that second, on the quoted state. */
export const checkLater = (report: Report, quote: Quote, { paid, received, ...fees }: LaterBuy): void => {
  const { curve } = quote.state;
  if (curve === null) throw new Error('An opening fee was charged away from the curve.');
  const later = quoteCurve(
    {
      virtualTokens: BigInt(curve.virtualTokens),
      virtualUsd: BigInt(curve.virtualUsd),
      tokensLeft: BigInt(curve.tokensLeft),
      reserveUsd: 0n,
    },
    { kind: 'buyExactIn', amount: paid, ...fees },
  );
  report.line(`(mined later than quoted: ${quote.state.feeBps} → ${fees.feeBps} bps, checked by the formula)`);
  report.check('the output is that of the formula for this second', later.amountOut, received);
  report.check('a later second is never worse', true, received >= BigInt(quote.outputAmountRaw));
};
