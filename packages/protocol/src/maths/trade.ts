import { MintageError } from '../schemas/errors.ts';
import { bpsScale, type FeeSplit, type FeeTerms, grossOfNetDown, totalBps } from './fees.ts';
import { ceilDiv, mulDivDown, mulDivUp } from './rounding.ts';

/** The four kinds of order, named as the Launchpad's functions. `ExactIn`: what the trader gives is exact. */
export const tradeKinds = ['buyExactIn', 'buyExactOut', 'sellExactIn', 'sellExactOut'] as const;
export type TradeKind = (typeof tradeKinds)[number];

export const isBuy = (kind: TradeKind): boolean => kind === 'buyExactIn' || kind === 'buyExactOut';
export const isExactIn = (kind: TradeKind): boolean => kind === 'buyExactIn' || kind === 'sellExactIn';

/** A trade as a venue prices it. USD orders count fees in: what a buyer pays, what a seller receives. */
export interface TradeOrder extends FeeTerms {
  kind: TradeKind;
  /** The exact side: USD base units for `buyExactIn` and `sellExactOut`, token base units for the other two. */
  amount: bigint;
}

/** The result of an order at one state, base units. */
export interface TradeResult {
  /** As in the order. */
  kind: TradeKind;
  /** Before fees: what the buyer pays, or what the venue pays. */
  grossUsd: bigint;
  /** After fees: what the venue receives, or what the seller receives. */
  netUsd: bigint;
  /** What the buyer receives, or the seller gives. */
  tokens: bigint;
  /** All parts of the fee, `grossUsd` minus `netUsd` in sum. */
  fees: FeeSplit;
  /** What leaves the trader, fees included: USD of a buy, tokens of a sell. */
  amountIn: bigint;
  /** What the trader receives, after fees: tokens of a buy, USD of a sell. */
  amountOut: bigint;
  /**
   * What the order's whole amount would bring at this trade's price: `amountOut`, but more for a buy that ends the curve and
   * spends only a part. There it is by the price before rounding, rounded down: of a rest of a few base units, `amountIn`
   * is mostly rounding.
   */
  outOfWholeAmount: bigint;
}

/** USD that moved between fees and venue, so priced by the venue. */
export const venueUsdOf = (trade: Pick<TradeResult, 'kind' | 'grossUsd' | 'netUsd'>): bigint =>
  isBuy(trade.kind) ? trade.netUsd : trade.grossUsd;

export const tradeResult = (
  kind: TradeKind,
  grossUsd: bigint,
  netUsd: bigint,
  tokens: bigint,
  fees: FeeSplit,
): TradeResult => {
  const amountOut = isBuy(kind) ? tokens : netUsd;
  return {
    kind,
    grossUsd,
    netUsd,
    tokens,
    fees,
    amountIn: isBuy(kind) ? grossUsd : tokens,
    amountOut,
    outOfWholeAmount: amountOut,
  };
};

/** @throws AMOUNT_TOO_SMALL when one of the amounts that must move is zero. */
export const requireSome = (...amounts: bigint[]): void => {
  if (amounts.includes(0n))
    throw new MintageError('AMOUNT_TOO_SMALL', 'The amount is too small: after fees and rounding nothing would move.');
};

/**
 * The limit of an order with this slippage: least received (rounded down) for exact-in, most paid (rounded up) for
 * exact-out. A buy that reaches the end of the curve spends only part of `order.amount`, and the contract scales its
 * limit with what was spent; so there the limit speaks for the whole amount and can be above what is received.
 */
export const limitOf = (trade: TradeResult, slippageBps: bigint): bigint =>
  isExactIn(trade.kind)
    ? mulDivDown(trade.outOfWholeAmount, bpsScale - slippageBps, bpsScale)
    : mulDivUp(trade.amountIn, bpsScale + slippageBps, bpsScale);

/** The limit of an order, base units. */
export interface Limits {
  /** As the order has it: `limitOf`. */
  ofOrder: bigint;
  /** Of this very trade: least received, or most paid. Other than `ofOrder` only where a buy ends the curve. */
  ofTrade: bigint;
}

/**
 * The limit of an order by slippage, or the trader's own where that is stricter.
 *
 * @param own - Of the trade; null: none. One that the trade does not meet makes an order that the chain refuses.
 */
export const limitsOf = (trade: TradeResult, slippageBps: bigint, own: bigint | null): Limits => {
  const ofOrder = limitOf(trade, slippageBps);
  const isLeast = isExactIn(trade.kind);
  const ofTrade = isLeast ? mulDivDown(trade.amountOut, bpsScale - slippageBps, bpsScale) : ofOrder;
  if (own === null || (isLeast ? own <= ofTrade : own >= ofTrade)) return { ofOrder, ofTrade };
  const isScaled = trade.outOfWholeAmount !== trade.amountOut && ofTrade > 0n;
  return { ofOrder: isScaled ? mulDivUp(ofOrder, own, ofTrade) : own, ofTrade: own };
};

/**
 * Whether the contract accepts this result under the order's limit. A limit is scaled with what the trade costs before
 * curve and fees round it up: otherwise a sell of a few base units in front makes any tight limit of a last buy fail.
 */
export const meetsLimit = (trade: TradeResult, order: TradeOrder, limit: bigint): boolean => {
  if (!isExactIn(trade.kind)) return trade.amountIn <= limit;
  if (!isBuy(trade.kind) || trade.grossUsd >= order.amount) return trade.amountOut >= limit;
  const unroundedUsd = grossOfNetDown(trade.netUsd - 1n, totalBps(order));
  return trade.amountOut >= mulDivDown(limit, unroundedUsd, order.amount);
};

/** A price as a fraction: `usd` base units for `tokens` base units. Never zero. */
export interface Price {
  usd: bigint;
  tokens: bigint;
}

/**
 * How much worse than the price before it a trade was for the trader, fees aside, in basis points, rounded up; 0 at
 * least. A buy compares tokens received, a sell USD received.
 */
export const priceImpactBpsUp = (
  before: Price,
  trade: Pick<TradeResult, 'kind' | 'grossUsd' | 'netUsd' | 'tokens'>,
): bigint => {
  const usdSide = venueUsdOf(trade) * before.tokens;
  const tokenSide = trade.tokens * before.usd;
  const [ideal, actual] = isBuy(trade.kind) ? [usdSide, tokenSide] : [tokenSide, usdSide];
  return actual >= ideal ? 0n : ceilDiv((ideal - actual) * bpsScale, ideal);
};
