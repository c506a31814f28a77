import {
  type Address,
  buyFeeBps,
  curvePrice,
  isBuy,
  MintageError,
  normalBps,
  openedPool,
  opensPool,
  poolPrice,
  poolRewardsDown,
  priceImpactBpsUp,
  priceSellExactIn,
  quoteCurve,
  quotePool,
  type Rewards,
  type TokenPool,
  type TradeOrder,
  type TradeResult,
  takesTierFee,
  tierPoolFeeBps,
  usdIs0,
  windowSeconds,
} from '@mintage/protocol';
import { ageSeconds, type Market, tierFeeOf } from '../../chain/market.ts';
import type { ExactAmount } from '../wire/amount.ts';

/** An order as the caller means it, before any state is known. */
export interface OrderIntent extends ExactAmount {
  trader: Address;
  builder: { code: Address; feeBps: number } | null;
  /** Referral named by the caller; the trader's own address is ignored. */
  referral: Address | null;
  /** Protocol referrer of the trader. */
  referrer: Address | null;
}

/** The exact result of an order at one market state, to the wei. */
export interface Quote {
  market: Market;
  intent: OrderIntent;
  order: TradeOrder;
  trade: TradeResult;
  /** The effective token referral. */
  referral: Address | null;
  /** A buy that takes the last tokens of the curve. */
  completes: boolean;
  /** A buy on a sold-out curve: it opens the pool first; `market` then shows the opened pool. */
  opensPool: boolean;
  /** What the pool's own tier keeps of what goes in, base units; null where it has none. */
  tierFeeIn: bigint | null;
  /** What the treasury's share pays for a trade on such a pool, USD base units. */
  rewards: Rewards | null;
  /** A sell of more tokens than the curve has sold: priced by the formula, but the chain refuses it. */
  beyondReserve: boolean;
  /** How much worse than the price before it, fees aside, rounded up; 0 at least. */
  priceImpactBps: number;
  /** Null outside the opening window. */
  window: { feeBps: number; secondsLeft: number; tokensAfterWindow: bigint } | null;
}

/**
 * Prices an order with the same integer arithmetic as the contract.
 *
 * @throws AMOUNT_TOO_SMALL, FEES_EXCEED_AMOUNT, BEYOND_CURVE, BEYOND_RESERVE (exact-out sell) and the pool's own.
 */
export const quoteMarket = (market: Market, intent: OrderIntent): Quote => {
  return opensPool(market.curve, intent.kind)
    ? { ...quoteAt(opened(market), intent), opensPool: true }
    : quoteAt(market, intent);
};

/**
 * The market after its graduation, as the first buy after the last tokens finds it.
 *
 * @throws BEYOND_CURVE in the opening window, during which the pool cannot open.
 */
const opened = (market: Market): Market => {
  const { curve, token, poolType, usd, floorUsd } = market;
  if (curve === null || token === null) return market;
  if (market.venue === null)
    throw new MintageError('BEYOND_CURVE', 'The curve is sold out, and this chain has no exchange to go on with.');
  const age = BigInt(ageSeconds(market));
  const sold = {
    poolType,
    usdDecimals: usd.decimals,
    curve,
    floorUsd,
    usdIs0: usdIs0(token.address, usd.address),
    tierFee: tierFeeOf(market),
  };
  const pool = openedPool(sold, buyFeeBps(age));
  if (pool === null) {
    const left = windowSeconds - age;
    throw new MintageError('BEYOND_CURVE', `The curve is sold out, and its pool opens ${left} s after this block.`);
  }
  return { ...market, curve: null, pool, floorUsd: 0n };
};

const quoteAt = (market: Market, intent: OrderIntent): Quote => {
  const referral = intent.referral === intent.trader ? null : intent.referral;
  const age = BigInt(ageSeconds(market));
  const buy = isBuy(intent.kind);
  const order: TradeOrder = {
    kind: intent.kind,
    amount: intent.amount,
    feeBps: feeBpsOf(market, buy, age),
    builderBps: BigInt(intent.builder?.feeBps ?? 0),
    hasReferral: referral !== null,
    hasReferrer: intent.referrer !== null,
  };
  const { trade, completes, tierFeeIn } = execute(market, order);
  return {
    market,
    intent,
    order,
    trade,
    referral,
    completes,
    opensPool: false,
    tierFeeIn,
    rewards: tierFeeIn === null ? null : poolRewardsDown(trade.grossUsd, order, market.treasuryShareUsd),
    beyondReserve: market.curve !== null && !buy && trade.grossUsd > market.curve.reserveUsd,
    priceImpactBps: Number(priceImpactBpsUp(priceBefore(market), trade)),
    window:
      order.feeBps <= normalBps
        ? null
        : {
            feeBps: Number(order.feeBps),
            secondsLeft: Number(windowSeconds - age),
            tokensAfterWindow: execute(market, {
              ...order,
              kind: 'buyExactIn',
              amount: trade.grossUsd,
              feeBps: normalBps,
            }).trade.tokens,
          },
  };
};

/** Trade fee without the builder's, basis points. */
const feeBpsOf = ({ curve, pool }: Market, buy: boolean, age: bigint): bigint => {
  if (curve !== null) return buy ? buyFeeBps(age) : normalBps;
  return pool !== null && takesTierFee(pool) ? tierPoolFeeBps : normalBps;
};

const execute = (
  market: Market,
  order: TradeOrder,
): { trade: TradeResult; completes: boolean; tierFeeIn: bigint | null } => {
  if (market.curve !== null) {
    const trade = (order.kind === 'sellExactIn' ? priceSellExactIn : quoteCurve)(market.curve, order);
    return { trade, completes: trade.completes, tierFeeIn: null };
  }
  const pool = poolOf(market);
  const trade = quotePool(pool, order);
  return { trade, completes: false, tierFeeIn: takesTierFee(pool) ? trade.tierFeeIn : null };
};

const priceBefore = (market: Market) => (market.curve !== null ? curvePrice(market.curve) : poolPrice(poolOf(market)));

/** The pool in the form of the formulas: the two currencies ordered by address. */
const poolOf = ({ pool, token, usd }: Market): TokenPool => {
  if (pool === null || token === null) throw new Error('a market has a curve or a pool');
  return { ...pool, usdIs0: usdIs0(token.address, usd.address) };
};
