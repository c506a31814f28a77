import {
  buyFeeBps,
  curveOf,
  type GraduationInput,
  graduate,
  isBuy,
  isExactIn,
  limitOf,
  MintageError,
  normalBps,
  type PoolType,
  quoteCurve,
  quotePool,
  type TradeOrder,
} from '@mintage/protocol';
import type { Venue } from '../../db/venueOf.ts';
import type { Action, Hex } from './readActions.ts';

export type Order = Extract<Action, { does: 'order' }>;

/** A token's venue as the index has it, what a buy on its curve pays at that block, and what its pool is made of. */
export type Market = Venue & {
  buyFeeBps: bigint;
  opening: Pick<GraduationInput, 'poolType' | 'usdDecimals' | 'floorUsd'>;
};

/** Of a token in its first second. */
export const newMarket = (poolType: PoolType, usdDecimals: number): Market => ({
  curve: curveOf(poolType, usdDecimals),
  pool: null,
  buyFeeBps: buyFeeBps(0n),
  opening: { poolType, usdDecimals, floorUsd: 0n },
});

/** What an order gives at a market, and the market after it. */
export interface Priced {
  market: Market;
  /** The worst limit that an order with this slippage has; what the Launchpad would round, rounded as it does. */
  limitAt(slippageBps: bigint): bigint;
}

/** Null when this market cannot fill the order. */
export const priceOrder = (known: Market, order: Order, usd: Hex): Priced | null => {
  const { kind, amount, builderBps } = order;
  const usdIs0 = BigInt(usd) < BigInt(order.token);
  const market = isBuy(kind) && known.curve?.tokensLeft === 0n ? opened(known, usdIs0) : known;
  if (market === null) return null;
  const { curve, pool, buyFeeBps } = market;
  const feeBps = curve !== null && isBuy(kind) ? buyFeeBps : normalBps;
  // Who shares the fee does not change what the trader pays.
  const terms: TradeOrder = { kind, amount, feeBps, builderBps, hasReferral: false, hasReferrer: false };
  try {
    if (curve !== null) {
      const trade = quoteCurve(curve, terms);
      return { market: { ...market, curve: trade.after, pool: null }, limitAt: (bps) => limitOf(trade, bps) };
    }
    const trade = quotePool({ ...pool, usdIs0 }, terms);
    return { market: { ...market, curve: null, pool: trade.after }, limitAt: (bps) => limitOf(trade, bps) };
  } catch (error) {
    if (error instanceof MintageError) return null;
    throw error;
  }
};

/** A buy that finds the curve sold out opens the pool first. Null in the opening window, whose end the pool waits for. */
const opened = (market: Market, usdIs0: boolean): Market | null => {
  const { curve, buyFeeBps, opening } = market;
  if (curve === null || buyFeeBps !== normalBps) return null;
  return { ...market, curve: null, pool: graduate({ ...opening, curve, usdIs0 }).pool };
};

/** Whether the order's limit is at least as good for the trader. */
export const isAsGoodAs = ({ kind, limit }: Order, worst: bigint): boolean =>
  isExactIn(kind) ? limit >= worst : limit <= worst;
