import { MintageError } from '../schemas/errors.ts';
import { type CurveState, priceSellExactIn, quoteCurve } from './curve.ts';
import { buyFeeBps, normalBps, poolRewardsDown, type Rewards, tierPoolFeeBps, windowSeconds } from './fees.ts';
import { type OpeningInput, openedPool, opensPool } from './graduation.ts';
import { hasTierFee, quotePool, type TokenPool } from './pool/quotePool.ts';
import { isBuy, type TradeOrder, type TradeResult } from './trade.ts';

/** A token at one block, as far as the price of an order depends on it. */
export interface PricedState {
  /** Null once graduated. */
  curve: CurveState | null;
  /** Null before graduation. */
  pool: TokenPool | null;
  /** USD of this token that the treasury has, base units: some pools' rewards are paid out of it. */
  treasuryShareUsd: bigint;
  /** Whole seconds from the token's creation to this block; 0 before its creation. */
  ageSeconds: number;
  /** By which a sold-out curve becomes a pool; null where the chain has no exchange, or it is not known. */
  graduation: Omit<OpeningInput, 'curve'> | null;
}

/** What the trader wants; the trade fee follows from the state. */
export type OrderTerms = Omit<TradeOrder, 'feeBps'>;

/** The exact result of an order at one state, to the wei. */
export interface PricedOrder {
  order: TradeOrder;
  trade: TradeResult;
  /** Where it trades: the state that was asked, or what its graduation makes of it. */
  at: PricedState;
  /** A buy that takes the last tokens of the curve. */
  completes: boolean;
  /** A buy on a sold-out curve: it opens the pool first. */
  opensPool: boolean;
  /** What the pool's own tier keeps of what goes in, base units; null where it has none. */
  tierFeeIn: bigint | null;
  /** What the treasury's share pays for a trade on such a pool, USD base units. */
  rewards: Rewards | null;
}

/**
 * Prices an order with the same integer arithmetic as the contract.
 *
 * @throws AMOUNT_TOO_SMALL, FEES_EXCEED_AMOUNT, BEYOND_CURVE, BEYOND_RESERVE (exact-out sell) and the pool's own.
 */
export const priceOrder = (state: PricedState, terms: OrderTerms): PricedOrder => {
  const opens = opensPool(state.curve, terms.kind);
  const at = opens ? opened(state) : state;
  const order = { ...terms, feeBps: tradeFeeBps(at, isBuy(terms.kind)) };
  const { trade, completes, tierFeeIn } = tradeAt(at, order);
  const rewards = tierFeeIn === null ? null : poolRewardsDown(trade.grossUsd, order, at.treasuryShareUsd);
  return { order, trade, at, completes, opensPool: opens, tierFeeIn, rewards };
};

/** An order with its fee at exactly this state. */
export const tradeAt = (
  state: Pick<PricedState, 'curve' | 'pool'>,
  order: TradeOrder,
): Pick<PricedOrder, 'trade' | 'completes' | 'tierFeeIn'> => {
  if (state.curve !== null) {
    const trade = (order.kind === 'sellExactIn' ? priceSellExactIn : quoteCurve)(state.curve, order);
    return { trade, completes: trade.completes, tierFeeIn: null };
  }
  if (state.pool === null) throw new Error('a token has a curve or a pool');
  const trade = quotePool(state.pool, order);
  return { trade, completes: false, tierFeeIn: trade.tierFeeIn };
};

/** Trade fee without the builder's, basis points. */
export const tradeFeeBps = (
  { curve, pool, ageSeconds }: Pick<PricedState, 'curve' | 'pool' | 'ageSeconds'>,
  isBuying: boolean,
): bigint => {
  if (curve !== null) return isBuying ? buyFeeBps(BigInt(ageSeconds)) : normalBps;
  return pool !== null && hasTierFee(pool) ? tierPoolFeeBps : normalBps;
};

/**
 * The token after its graduation, as the first buy after the last tokens finds it.
 *
 * @throws BEYOND_CURVE in the opening window, during which the pool cannot open.
 */
const opened = (state: PricedState): PricedState => {
  const { curve, graduation, ageSeconds } = state;
  if (curve === null) return state;
  if (graduation === null)
    throw new MintageError('BEYOND_CURVE', 'The curve is sold out, and this chain has no exchange to go on with.');
  const pool = openedPool({ ...graduation, curve }, buyFeeBps(BigInt(ageSeconds)));
  if (pool === null) {
    const left = windowSeconds - BigInt(ageSeconds);
    throw new MintageError('BEYOND_CURVE', `The curve is sold out, and its pool opens ${left} s after this block.`);
  }
  return { ...state, curve: null, pool, graduation: null };
};
