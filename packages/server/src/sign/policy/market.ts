import {
  type Address,
  buyFeeBps,
  curveOf,
  type Decimals,
  type Deployment,
  hasTierFee,
  isBefore,
  isBuy,
  isExactIn,
  limitOf,
  MintageError,
  normalBps,
  type OpeningInput,
  openedPool,
  opensPool,
  type PoolType,
  quoteCurve,
  quotePool,
  type TradeOrder,
  tierPoolFeeBps,
  tokenPoolOf,
  type VenueKind,
} from '@mintage/protocol';
import { tierFeeOf } from '../../chain/market.ts';
import type { Venue } from '../../db/venueOf.ts';
import type { Action } from './actions.ts';

export type Order = Extract<Action, { does: 'order' }>;

/** A token's market from the index, with what a buy on its curve pays at that block and what its pool consists of. */
export type Market = Venue & {
  buyFeeBps: bigint;
  opening: Pick<OpeningInput, 'poolType' | 'decimals' | 'floorUsd' | 'tierFee'> & {
    /** Null: tokens cannot graduate there. */
    venue: VenueKind | null;
  };
};

/** The market of a token in its first second. */
export const newMarket = (poolType: PoolType, decimals: Decimals, { venue }: Pick<Deployment, 'venue'>): Market => ({
  curve: curveOf(poolType, decimals),
  pool: null,
  buyFeeBps: buyFeeBps(0n),
  opening: { poolType, decimals, floorUsd: 0n, venue, tierFee: tierFeeOf({ venue }) },
});

/** The result of an order at a market, and the market after it. */
export interface Priced {
  market: Market;
  /** The worst limit that an order with this slippage may carry, rounded as the Launchpad rounds. */
  limitAt(slippageBps: bigint): bigint;
}

/** Null when this market cannot fill the order. */
export const priceOrder = (known: Market, order: Order, usd: Address): Priced | null => {
  const { kind, amount, builderBps } = order;
  const usdIs0 = isBefore(usd, order.token);
  const market = opensPool(known.curve, kind) ? opened(known, usdIs0) : known;
  if (market === null) return null;
  const { curve, pool, buyFeeBps } = market;
  const feeBps = curve === null ? (hasTierFee(pool) ? tierPoolFeeBps : normalBps) : isBuy(kind) ? buyFeeBps : normalBps;
  // How the fee is shared does not change what the trader pays.
  const terms: TradeOrder = { kind, amount, feeBps, builderBps, hasReferral: false, hasReferrer: false };
  try {
    if (curve !== null) {
      const trade = quoteCurve(curve, terms);
      return { market: { ...market, curve: trade.after, pool: null }, limitAt: (bps) => limitOf(trade, bps) };
    }
    const trade = quotePool(tokenPoolOf(pool, usdIs0), terms);
    return { market: { ...market, curve: null, pool: trade.after }, limitAt: (bps) => limitOf(trade, bps) };
  } catch (error) {
    if (error instanceof MintageError) return null;
    throw error;
  }
};

/**
 * The market after opening the pool, for a buy on a sold-out curve. Null in the opening window, during which the pool
 * cannot open.
 */
const opened = (market: Market, usdIs0: boolean): Market | null => {
  const { curve, buyFeeBps, opening } = market;
  const { venue } = opening;
  const pool = curve && venue && openedPool({ ...opening, venue, curve, usdIs0 }, buyFeeBps);
  return pool && { ...market, curve: null, pool };
};

/** Whether the order's limit is at least as good for the trader. */
export const isAsGoodAs = ({ kind, limit }: Order, worst: bigint): boolean =>
  isExactIn(kind) ? limit >= worst : limit <= worst;
