import { MintageError } from '../schemas/errors.ts';
import type { Decimals } from './decimal.ts';
import { grossOfNetUp, netOfGrossDown, splitFee, totalBps } from './fees.ts';
import type { PoolType } from './poolTypes.ts';
import { mulDivDown, mulDivUp } from './rounding.ts';
import { type Price, requireSome, type TradeOrder, type TradeResult, tradeResult } from './trade.ts';

/**
 * The bonding curve: a constant product on virtual reserves, rounded against the trader, so A·B never falls.
 * Source: design 4.1; contracts/src/libraries/Curve.sol; cases in vectors/curve.json.
 */

/** A curve at one block, base units. */
export interface CurveState {
  /** A: tokens. */
  virtualTokens: bigint;
  /** B: USD. */
  virtualUsd: bigint;
  /** Tokens still to sell; 0 and not graduated means completed. */
  tokensLeft: bigint;
  /** Net USD raised. */
  reserveUsd: bigint;
}

/** The curve of a token of this type; without `stored` an untouched one. `stored` is what the contract keeps. */
export const curveOf = (
  poolType: PoolType,
  decimals: Decimals,
  stored?: { tokensLeft: bigint; reserveUsd: bigint },
): CurveState => {
  const tokenUnit = 10n ** BigInt(decimals.token);
  const curveTokens = poolType.curveTokens * tokenUnit;
  const { tokensLeft, reserveUsd } = stored ?? { tokensLeft: curveTokens, reserveUsd: 0n };
  return {
    virtualTokens: poolType.virtualTokens * tokenUnit - curveTokens + tokensLeft,
    virtualUsd: poolType.virtualUsd * 10n ** BigInt(decimals.usd) + reserveUsd,
    tokensLeft,
    reserveUsd,
  };
};

/** Tokens for exactly `netUsd`, rounded down. */
export const tokensForUsdDown = ({ virtualTokens, virtualUsd }: CurveState, netUsd: bigint): bigint =>
  mulDivDown(virtualTokens, netUsd, virtualUsd + netUsd);

/** Net USD that `tokens` cost, rounded up. `tokens` below A. */
export const usdForTokensUp = ({ virtualTokens, virtualUsd }: CurveState, tokens: bigint): bigint =>
  mulDivUp(virtualUsd, tokens, virtualTokens - tokens);

/** Gross USD that the curve pays for `tokens`, rounded down. */
export const usdFromTokensDown = ({ virtualTokens, virtualUsd }: CurveState, tokens: bigint): bigint =>
  mulDivDown(virtualUsd, tokens, virtualTokens + tokens);

/** Tokens that `grossUsd` out of the curve cost, rounded up. `grossUsd` below B. */
export const tokensFromUsdUp = ({ virtualTokens, virtualUsd }: CurveState, grossUsd: bigint): bigint =>
  mulDivUp(virtualTokens, grossUsd, virtualUsd - grossUsd);

export interface CurveTrade extends TradeResult {
  /** A buy that took the last tokens; `grossUsd` may be less than the order's amount: the rest is never pulled. */
  completes: boolean;
  /** The curve after the trade. */
  after: CurveState;
}

/**
 * What an order does at this state, to the wei.
 *
 * @throws AMOUNT_TOO_SMALL, FEES_EXCEED_AMOUNT, BEYOND_CURVE (exact-out buy of more than is left), BEYOND_RESERVE
 *   (a sell for more USD than the curve holds: more tokens than anybody can have).
 */
export const quoteCurve = (curve: CurveState, asked: TradeOrder): CurveTrade => {
  const order = { ...asked, amount: asked.amount < mostAmount ? asked.amount : mostAmount };
  const sumBps = totalBps(order);
  switch (order.kind) {
    case 'buyExactIn':
      return buyExactIn(curve, asked, sumBps);
    case 'buyExactOut':
      return buyExactOut(curve, order, sumBps);
    case 'sellExactIn':
      return sellExactIn(curve, order, sumBps);
    case 'sellExactOut':
      return sellExactOut(curve, order, sumBps);
  }
};

/** More than anybody can have of a dollar or a token, base units: a larger order counts as this one, as in the contract. */
const mostAmount = 1n << 112n;

const buyExactIn = (curve: CurveState, order: TradeOrder, sumBps: bigint): CurveTrade => {
  const netUsd = netOfGrossDown(order.amount, sumBps);
  const netUsdToEnd = usdForTokensUp(curve, curve.tokensLeft);
  if (netUsd < netUsdToEnd) return bought(curve, order, order.amount, netUsd, tokensForUsdDown(curve, netUsd));
  const trade = bought(curve, order, grossOfNetUp(netUsdToEnd, sumBps), netUsdToEnd, curve.tokensLeft);
  if (trade.grossUsd === order.amount) return trade;
  return { ...trade, outOfWholeAmount: mulDivDown(trade.after.virtualTokens, netUsd, curve.virtualUsd) };
};

const buyExactOut = (curve: CurveState, order: TradeOrder, sumBps: bigint): CurveTrade => {
  if (order.amount > curve.tokensLeft)
    throw new MintageError('BEYOND_CURVE', 'The curve has fewer tokens left than were asked for.', {
      details: { requestedRaw: order.amount.toString(), leftRaw: curve.tokensLeft.toString() },
    });
  const netUsd = usdForTokensUp(curve, order.amount);
  return bought(curve, order, grossOfNetUp(netUsd, sumBps), netUsd, order.amount);
};

const bought = (curve: CurveState, order: TradeOrder, grossUsd: bigint, netUsd: bigint, tokens: bigint): CurveTrade => {
  requireSome(netUsd, tokens);
  return {
    ...tradeResult(order.kind, grossUsd, netUsd, tokens, splitFee(grossUsd, grossUsd - netUsd, order)),
    completes: tokens === curve.tokensLeft,
    after: moved(curve, -tokens, netUsd),
  };
};

const sellExactIn = (curve: CurveState, order: TradeOrder, sumBps: bigint): CurveTrade => {
  const grossUsd = usdFromTokensDown(curve, order.amount);
  requireReserve(curve, grossUsd);
  return sold(curve, order, grossUsd, netOfGrossDown(grossUsd, sumBps), order.amount);
};

/**
 * What an exact sell brings by the formula alone, also for more tokens than anybody can have. Where the result's
 * `grossUsd` is above `reserveUsd` the Launchpad refuses the sell; below, this equals `quoteCurve`.
 *
 * @throws AMOUNT_TOO_SMALL, FEES_EXCEED_AMOUNT.
 */
export const priceSellExactIn = (curve: CurveState, order: TradeOrder): CurveTrade => {
  const grossUsd = usdFromTokensDown(curve, order.amount);
  return sold(curve, order, grossUsd, netOfGrossDown(grossUsd, totalBps(order)), order.amount);
};

const sellExactOut = (curve: CurveState, order: TradeOrder, sumBps: bigint): CurveTrade => {
  const grossUsd = grossOfNetUp(order.amount, sumBps);
  requireReserve(curve, grossUsd);
  return sold(curve, order, grossUsd, order.amount, tokensFromUsdUp(curve, grossUsd));
};

const requireReserve = (curve: CurveState, grossUsd: bigint): void => {
  if (grossUsd > curve.reserveUsd)
    throw new MintageError('BEYOND_RESERVE', 'The curve holds less USD than was asked for.', {
      details: { requestedRaw: grossUsd.toString(), reserveRaw: curve.reserveUsd.toString() },
    });
};

const sold = (curve: CurveState, order: TradeOrder, grossUsd: bigint, netUsd: bigint, tokens: bigint): CurveTrade => {
  requireSome(netUsd, tokens);
  return {
    ...tradeResult(order.kind, grossUsd, netUsd, tokens, splitFee(grossUsd, grossUsd - netUsd, order)),
    completes: false,
    after: moved(curve, tokens, -grossUsd),
  };
};

const moved = (curve: CurveState, tokens: bigint, usd: bigint): CurveState => ({
  virtualTokens: curve.virtualTokens + tokens,
  virtualUsd: curve.virtualUsd + usd,
  tokensLeft: curve.tokensLeft + tokens,
  reserveUsd: curve.reserveUsd + usd,
});

/** The marginal price B/A. */
export const curvePrice = ({ virtualTokens, virtualUsd }: CurveState): Price => ({
  usd: virtualUsd,
  tokens: virtualTokens,
});

/** Tokens sold of those for sale at this A, percent with 18 fraction digits, rounded down. */
export const progressPct18Down = (
  poolType: PoolType,
  { token }: Pick<Decimals, 'token'>,
  virtualTokens: bigint,
): bigint => {
  const tokenUnit = 10n ** BigInt(token);
  const soldTokens = poolType.virtualTokens * tokenUnit - virtualTokens;
  return (soldTokens * hundredPct18) / (poolType.curveTokens * tokenUnit);
};

const hundredPct18 = 100n * 10n ** 18n;

/** From here on a token counts as graduating. */
const graduatingPct18 = 75n * 10n ** 18n;

export const stageAt = (progressPct18: bigint, isGraduated: boolean): 'new' | 'graduating' | 'graduated' => {
  if (isGraduated) return 'graduated';
  return progressPct18 >= graduatingPct18 ? 'graduating' : 'new';
};
