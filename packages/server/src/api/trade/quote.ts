import {
  type Address,
  curvePrice,
  type ExactAmount,
  isBuy,
  normalBps,
  type PricedState,
  poolPrice,
  priceImpactBpsUp,
  priceOrder,
  type Rewards,
  type TradeOrder,
  type TradeResult,
  tokenPoolOf,
  tradeAt,
  usdIs0,
  windowSeconds,
} from '@mintage/protocol';
import { ageSeconds, type Market, tierFeeOf } from '../../chain/market.ts';

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
export const quoteMarket = (asked: Market, intent: OrderIntent): Quote => {
  const referral = intent.referral === intent.trader ? null : intent.referral;
  const priced = priceOrder(stateOf(asked), {
    kind: intent.kind,
    amount: intent.amount,
    builderBps: BigInt(intent.builder?.feeBps ?? 0),
    hasReferral: referral !== null,
    hasReferrer: intent.referrer !== null,
  });
  const { order, trade, at, completes, opensPool, tierFeeIn, rewards } = priced;
  const market = opensPool ? { ...asked, curve: null, pool: at.pool, floorUsd: 0n } : asked;
  return {
    market,
    intent,
    order,
    trade,
    referral,
    completes,
    opensPool,
    tierFeeIn,
    rewards,
    beyondReserve: at.curve !== null && !isBuy(order.kind) && trade.grossUsd > at.curve.reserveUsd,
    priceImpactBps: Number(priceImpactBpsUp(priceBefore(at), trade)),
    window:
      order.feeBps <= normalBps
        ? null
        : {
            feeBps: Number(order.feeBps),
            secondsLeft: Number(windowSeconds) - at.ageSeconds,
            tokensAfterWindow: tradeAt(at, {
              ...order,
              kind: 'buyExactIn',
              amount: trade.grossUsd,
              feeBps: normalBps,
            }).trade.tokens,
          },
  };
};

/** The market in the form of the formulas. A token that is not created yet has no address, and needs none on its curve. */
const stateOf = (market: Market): PricedState => {
  const { token, usd, tokenDecimals, curve, pool, poolType, floorUsd, venue, treasuryShareUsd } = market;
  const dollarsFirst = token !== null && usdIs0(token.address, usd.address);
  const graduation = {
    poolType,
    decimals: { token: tokenDecimals, usd: usd.decimals },
    floorUsd,
    usdIs0: dollarsFirst,
    tierFee: tierFeeOf(market),
  };
  return {
    curve,
    pool: pool && tokenPoolOf(pool, dollarsFirst),
    treasuryShareUsd,
    ageSeconds: ageSeconds(market),
    graduation: venue === null || token === null ? null : { ...graduation, venue },
  };
};

const priceBefore = ({ curve, pool }: PricedState) => {
  if (curve !== null) return curvePrice(curve);
  if (pool === null) throw new Error('a token has a curve or a pool');
  return poolPrice(pool);
};
