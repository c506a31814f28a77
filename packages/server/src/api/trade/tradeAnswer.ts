import { formatUnits, isExactIn } from '@mintage/protocol';
import type { AnswerOf } from '@mintage/protocol/operations';
import type { ChainReading, Outcome } from '../../chain/chainClient.ts';
import { isoTime } from '../wire/isoTime.ts';
import { numberOf } from '../wire/usd.ts';
import { protocolWord } from '../wire/venueWord.ts';
import { approvalWarnings } from './approvalWarnings.ts';
import { answerTrade, type PreparedItem, type PreparedTrade } from './prepareTrade.ts';
import { readingWarnings } from './warnings.ts';
import { wholeFieldsOf } from './wholeTransaction.ts';

type TradeTokenAnswer = Omit<AnswerOf<'tradeToken'>, 'executed' | 'transactionHash' | 'intentId'> & {
  transactions: PreparedItem[];
};

/**
 * The whole answer of a trade: the transactions, the quote, and the short form for display.
 *
 * @param outcome - Null when nothing was simulated.
 * @param reading - Null when the price comes from the index.
 */
export const tradeAnswer = (
  prepared: PreparedTrade,
  outcome: Outcome | null,
  reading: Pick<ChainReading, 'isAlone' | 'trader'> | null = null,
): TradeTokenAnswer => {
  const { transactions, quote, warnings } = answerTrade(prepared, outcome);
  const last = transactions.at(-1);
  if (last === undefined) throw new Error('a prepared trade has at least one step');
  const { market, trade } = prepared.quote;
  const exactIn = isExactIn(trade.kind);
  return {
    success: true,
    transaction: {
      to: last.to,
      data: last.data,
      value: last.value,
      gasLimit: last.gasLimit,
      chain: last.chainSlug,
      ...wholeFieldsOf(last),
    },
    transactions,
    quote,
    metadata: {
      protocol: protocolWord(quote.isGraduated ? 'pool' : 'curve', market),
      isGraduated: quote.isGraduated,
      inputAmount: numberOf(quote.inputAmount),
      outputAmount: numberOf(quote.outputAmount),
      minOutputAmount: numberOf(exactIn ? quote.limitAmount : quote.outputAmount),
      maxInputAmount: numberOf(exactIn ? quote.inputAmount : quote.limitAmount),
      feeUsd: numberOf(formatUnits(trade.fees.total, market.usd.decimals)),
      priceImpactPct: quote.priceImpactBps / 100,
      slippageBps: quote.slippageBps,
      gasEstimate: last.gasLimit,
      timestamp: isoTime(prepared.request.nowMs),
    },
    warnings: [
      ...warnings,
      ...approvalWarnings(prepared.request.served, prepared.steps, reading?.trader.usdAllowance ?? null),
      ...readingWarnings(reading),
    ],
  };
};
