import { type Outcome, type TradeQuote, tokenDecimalsOn } from '@mintage/sdk';
import { formatUnits } from 'viem';
import { facts } from '../output/table.ts';

const said = (raw: string, decimals: number, symbol: string) =>
  `quoted ${formatUnits(BigInt(raw), decimals)} ${symbol}`;

/** What the chain did by its event, beside what was said; only that, where the event is not read. */
export const arrived = (quote: TradeQuote, traded: Outcome['traded']): string => {
  const isBuy = quote.decoded.some(({ function: name }) => name.startsWith('buy'));
  const [usd, token] = [quote.state.usdDecimals, tokenDecimalsOn(quote.state.chainSlug)];
  const [inDecimals, outDecimals] = isBuy ? [usd, token] : [token, usd];
  if (traded === null) {
    return facts([
      ['To pay', `${quote.inputAmount} ${quote.inputSymbol}`],
      ['To get', `${quote.outputAmount} ${quote.outputSymbol}`, `as priced when it was signed`],
    ]);
  }
  return facts([
    [
      'Paid',
      `${formatUnits(traded.amountIn, inDecimals)} ${quote.inputSymbol}`,
      said(quote.inputAmountRaw, inDecimals, quote.inputSymbol),
    ],
    [
      'Got',
      `${formatUnits(traded.amountOut, outDecimals)} ${quote.outputSymbol}`,
      said(quote.outputAmountRaw, outDecimals, quote.outputSymbol),
    ],
    ['Fees', `${formatUnits(traded.feeUsd, quote.state.usdDecimals)} dollars`],
  ]);
};
