import type { Venue } from '@mintage/indexer/db';
import {
  buyFeeBpsAt,
  curveOf,
  isBuy,
  isExactIn,
  limitOf,
  MintageError,
  normalFeeBps,
  type PoolType,
  quoteCurve,
  quotePool,
  type TradeOrder,
} from '@mintage/protocol';
import type { Action, Hex } from './readActions.ts';

export type Order = Extract<Action, { does: 'order' }>;

/** A token's venue as the index has it, and what a buy on its curve pays at that block. */
export type Market = Venue & { buyFeeBps: bigint };

/** Of a token in its first second. */
export const newMarket = (poolType: PoolType, usdDecimals: number): Market => ({
  curve: curveOf(poolType, usdDecimals),
  pool: null,
  buyFeeBps: buyFeeBpsAt(0n),
});

/** What an order gives at a market, and the market after it. */
export interface Priced {
  market: Market;
  /** The worst limit that an order with this slippage has; what the Launchpad would round, rounded as it does. */
  limitAt(slippageBps: bigint): bigint;
}

/** Null when this market cannot fill the order. */
export const priceOrder = (market: Market, order: Order, usd: Hex): Priced | null => {
  const { kind, amount, builderBps } = order;
  const { curve, pool, buyFeeBps } = market;
  if (curve !== null && isBuy(kind) && curve.tokensLeft === 0n) return null; // between the curve and the pool
  const feeBps = curve !== null && isBuy(kind) ? buyFeeBps : normalFeeBps;
  // Who shares the fee does not change what the trader pays.
  const terms: TradeOrder = { kind, amount, feeBps, builderBps, hasReferral: false, hasReferrer: false };
  try {
    if (curve !== null) {
      const trade = quoteCurve(curve, terms);
      return { market: { ...market, curve: trade.after, pool: null }, limitAt: (bps) => limitOf(trade, bps) };
    }
    const trade = quotePool({ ...pool, usdIsCurrency0: BigInt(usd) < BigInt(order.token) }, terms);
    return { market: { ...market, curve: null, pool: trade.after }, limitAt: (bps) => limitOf(trade, bps) };
  } catch (error) {
    if (error instanceof MintageError) return null;
    throw error;
  }
};

/** Whether the order's limit is at least as good for the trader. */
export const isAsGoodAs = ({ kind, limit }: Order, worst: bigint): boolean =>
  isExactIn(kind) ? limit >= worst : limit <= worst;
