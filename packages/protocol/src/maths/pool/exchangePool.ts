import { MintageError } from '../../schemas/errors.ts';
import { grossOfNetUp, netOfGrossDown, splitFee, totalBps } from '../fees.ts';
import { isBuy, isExactIn, type Price, requireSome, type TradeOrder, type TradeResult, tradeResult } from '../trade.ts';
import { type PoolState, swap, takesTierFee } from './swap.ts';

/** A pool and which of its two currencies the dollar token is: the lower address is currency 0. */
export interface ExchangePool extends PoolState {
  usdIs0: boolean;
}

export interface ExchangePoolTrade extends TradeResult {
  /** What the pool's own tier keeps of what goes in: USD of a buy, tokens of a sell. 0 where it has none. */
  tierFeeIn: bigint;
  /** The pool after the trade. */
  after: ExchangePool;
}

/**
 * What an order through the Launchpad does to a graduated token's pool, to the wei: the fees of a curve trade, taken in
 * USD around a swap of the whole rest, or the builder's alone where the pool takes its own. Source: design 4.3;
 * contracts/src/venues and Trading.sol; cases in vectors/pool.json.
 *
 * @throws AMOUNT_TOO_SMALL, FEES_EXCEED_AMOUNT, PARTIAL_FILL (more than the pool has).
 */
export const quoteExchangePool = (pool: ExchangePool, order: TradeOrder): ExchangePoolTrade => {
  const sumBps = totalBps(order);
  const [buy, exactIn] = [isBuy(order.kind), isExactIn(order.kind)];
  const exact = swapAmount(order, sumBps);
  requireSome(exact);
  const swapped = swap(pool, { zeroForOne: buy === pool.usdIs0, exactIn, amount: exact });
  if (swapped.unfilled > 0n)
    throw new MintageError('PARTIAL_FILL', 'The pool cannot fill the whole order.', {
      details: { requestedRaw: exact.toString(), filledRaw: (exact - swapped.unfilled).toString() },
    });
  const { amountIn, amountOut } = swapped;
  const [tokens, venueUsd] = buy ? [amountOut, amountIn] : [amountIn, amountOut];
  const [grossUsd, netUsd] = buy
    ? [exactIn ? order.amount : grossOfNetUp(venueUsd, sumBps), venueUsd]
    : [venueUsd, exactIn ? netOfGrossDown(venueUsd, sumBps) : order.amount];
  requireSome(tokens, netUsd);
  return {
    ...tradeResult(order.kind, grossUsd, netUsd, tokens, splitFee(grossUsd, grossUsd - netUsd, order)),
    tierFeeIn: takesTierFee(pool) ? swapped.poolFee : 0n,
    after: { ...swapped.after, usdIs0: pool.usdIs0 },
  };
};

/** The exact side as the pool sees it: without the fees of a buy, with those of a sell. */
const swapAmount = ({ kind, amount }: TradeOrder, sumBps: bigint): bigint => {
  if (kind === 'buyExactIn') return netOfGrossDown(amount, sumBps);
  return kind === 'sellExactOut' ? grossOfNetUp(amount, sumBps) : amount;
};

/** The pool's marginal price. */
export const exchangePoolPrice = ({ sqrtPriceX96, usdIs0 }: Pick<ExchangePool, 'sqrtPriceX96' | 'usdIs0'>): Price => {
  const [priceX192, oneX192] = [sqrtPriceX96 * sqrtPriceX96, 1n << 192n];
  return usdIs0 ? { usd: oneX192, tokens: priceX192 } : { usd: priceX192, tokens: oneX192 };
};
