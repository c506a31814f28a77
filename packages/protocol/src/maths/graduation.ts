import type { VenueKind } from '../chains/chains.ts';
import { MintageError } from '../schemas/errors.ts';
import { type CurveState, curveOf } from './curve.ts';
import type { Decimals } from './decimal.ts';
import { normalBps } from './fees.ts';
import type { ExchangePool } from './pool/exchangePool.ts';
import { graduateMintage } from './pool/mintagePool.ts';
import type { TokenPool } from './pool/quotePool.ts';
import { amount0Up, amount1Up } from './pool/sqrtPriceMath.ts';
import { type LockedRange, maxUsableTick, minUsableTick, tickSpacing } from './pool/swap.ts';
import { sqrtPriceX96Of, tickOf } from './pool/tickMath.ts';
import type { PoolType } from './poolTypes.ts';
import { sqrtDown } from './rounding.ts';
import { isBuy, type TradeKind } from './trade.ts';

/**
 * From a completed curve to its pool, the same integers as the contract: the price, both locked positions, what went
 * into them and what was left over. Source: design 4.3; contracts/src/libraries/OpeningV4.sol and PoolRange.sol; cases in
 * vectors/graduation.json.
 */
export interface Graduation {
  /** The pool as it opens. */
  pool: ExchangePool;
  /** USD base units in the full range. */
  usdLocked: bigint;
  /** Token base units in the full range. */
  tokensLocked: bigint;
  /** USD base units in the floor: what the opening window kept, and what did not fit the full range. */
  floorUsd: bigint;
  /** USD base units to the creator, out of the raise. */
  creatorRewardUsd: bigint;
  /** USD base units that fitted no position: they go to the treasury. */
  dustUsd: bigint;
  /** Token base units that fitted no position: given up to the PoolManager. */
  dustTokens: bigint;
}

export interface GraduationInput {
  poolType: PoolType;
  decimals: Decimals;
  /** The completed curve. */
  curve: CurveState;
  /** USD base units that the opening window kept for the floor. */
  floorUsd: bigint;
  /** The dollar token has the lower address, so it is currency 0. */
  usdIs0: boolean;
  /** The PoolManager's, for the pool that comes out; 0 unless its owner set one. */
  protocolFee?: number;
  /** Of the pool's own tier, pips, where it has one. A stranger may have prepared such a pool; then it opens higher. */
  tierFee?: number | undefined;
}

/** Whether a trade is a buy that finds the curve sold out: it opens the pool first. */
export const opensPool = (curve: CurveState | null, kind: TradeKind): boolean =>
  curve !== null && curve.tokensLeft === 0n && isBuy(kind);

/** With where the pool opens. */
export interface OpeningInput extends GraduationInput {
  venue: VenueKind;
}

/**
 * The pool that such a buy trades in; null in the opening window, whose end the pool waits for.
 *
 * @param buyFee - Basis points that a buy on the curve pays at this block (`buyFeeBps`).
 */
export const openedPool = (input: OpeningInput, buyFee: bigint): TokenPool | null => {
  if (buyFee !== normalBps) return null;
  const { venue, poolType, curve, floorUsd } = input;
  return (venue === 'mintage_pool' ? graduateMintage(poolType, curve, floorUsd) : graduate(input)).pool;
};

/** @throws BEYOND_CURVE while the curve has tokens left. */
export const graduate = ({
  poolType,
  decimals,
  curve,
  floorUsd,
  usdIs0,
  protocolFee = 0,
  tierFee,
}: GraduationInput): Graduation => {
  if (curve.tokensLeft > 0n)
    throw new MintageError('BEYOND_CURVE', 'A curve with tokens left cannot graduate.', {
      details: { leftRaw: curve.tokensLeft.toString() },
    });
  const sqrtPriceX96 = openingSqrtPriceX96(curve, usdIs0);
  const creatorRewardUsd = poolType.creatorRewardUsd * 10n ** BigInt(decimals.usd);
  const usd = curve.reserveUsd - creatorRewardUsd;
  const tokens = poolType.poolTokens * 10n ** BigInt(decimals.token);

  const whole = { tickLower: minUsableTick, tickUpper: maxUsableTick };
  const full = lock(sqrtPriceX96, whole, usdIs0 ? usd : tokens, usdIs0 ? tokens : usd);
  const [usdLocked, tokensLocked] = usdIs0 ? [full.used0, full.used1] : [full.used1, full.used0];

  const usdForFloor = floorUsd + usd - usdLocked;
  const floorTicks = floorTicksOf(curveOf(poolType, decimals), usdIs0);
  const floor = lock(sqrtPriceX96, floorTicks, usdIs0 ? usdForFloor : 0n, usdIs0 ? 0n : usdForFloor);
  const floorLocked = usdIs0 ? floor.used0 : floor.used1;
  return {
    pool: {
      sqrtPriceX96,
      tick: tickOf(sqrtPriceX96),
      liquidity: full.range.liquidity,
      protocolFee,
      ...(tierFee === undefined ? {} : { tierFee }),
      fullRange: full.range,
      floor: floor.range,
      usdIs0,
    },
    usdLocked,
    tokensLocked,
    floorUsd: floorLocked,
    creatorRewardUsd,
    dustUsd: usdForFloor - floorLocked,
    dustTokens: tokens - tokensLocked,
  };
};

/** The curve's price as the pool counts it, rounded down. */
const openingSqrtPriceX96 = ({ virtualTokens, virtualUsd }: CurveState, usdIs0: boolean): bigint => {
  const [numerator, denominator] = usdIs0 ? [virtualTokens, virtualUsd] : [virtualUsd, virtualTokens];
  return sqrtDown((numerator << 192n) / denominator);
};

/** USD only, from the end of all prices to the curve's start price, never nearer the opening price than that. */
const floorTicksOf = (start: CurveState, usdIs0: boolean): Omit<LockedRange, 'liquidity'> => {
  const startX96 = openingSqrtPriceX96(start, usdIs0);
  const below = Math.floor(tickOf(startX96) / tickSpacing) * tickSpacing;
  if (!usdIs0) return { tickLower: minUsableTick, tickUpper: below };
  const above = sqrtPriceX96Of(below) < startX96 ? below + tickSpacing : below;
  return { tickLower: above, tickUpper: maxUsableTick };
};

interface Locked {
  range: LockedRange;
  used0: bigint;
  used1: bigint;
}

/** The most liquidity that both amounts allow, rounded down, and what it takes of them, rounded up. */
const lock = (
  sqrtPriceX96: bigint,
  ticks: Omit<LockedRange, 'liquidity'>,
  amount0: bigint,
  amount1: bigint,
): Locked => {
  const [lowerX96, upperX96] = [sqrtPriceX96Of(ticks.tickLower), sqrtPriceX96Of(ticks.tickUpper)];
  // The part of the range above the price holds token0, the part below it token1.
  const splitX96 = sqrtPriceX96 < lowerX96 ? lowerX96 : sqrtPriceX96 > upperX96 ? upperX96 : sqrtPriceX96;
  const limits: bigint[] = [];
  if (splitX96 < upperX96) limits.push(liquidityFor0Down(splitX96, upperX96, amount0));
  if (splitX96 > lowerX96) limits.push(liquidityFor1Down(lowerX96, splitX96, amount1));
  const liquidity = limits.reduce((least, limit) => (limit < least ? limit : least));
  return {
    range: { ...ticks, liquidity },
    used0: amount0Up(splitX96, upperX96, liquidity),
    used1: amount1Up(lowerX96, splitX96, liquidity),
  };
};

const liquidityFor0Down = (lowerX96: bigint, upperX96: bigint, amount0: bigint): bigint =>
  (amount0 * ((lowerX96 * upperX96) >> 96n)) / (upperX96 - lowerX96);

const liquidityFor1Down = (lowerX96: bigint, upperX96: bigint, amount1: bigint): bigint =>
  (amount1 << 96n) / (upperX96 - lowerX96);
