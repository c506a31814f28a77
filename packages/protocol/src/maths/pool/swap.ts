import { mulDivUp } from '../rounding.ts';
import { amount0Down, amount0Up, amount1Down, amount1Up, priceAfterInput, priceAfterOutput } from './sqrtPriceMath.ts';
import { maxSqrtPriceX96, maxTick, minSqrtPriceX96, minTick, sqrtPriceX96Of, tickOf } from './tickMath.ts';

/**
 * A swap in a pool of Uniswap v4, Uniswap v3 or PancakeSwap v3 whose liquidity is known, to the unit. It walks as they walk:
 * it also stops, and so rounds, at every end of a word of the tick bitmap.
 */

/** A locked position. Ticks are multiples of `tickSpacing`; a liquidity of 0 means that there is none. */
export interface LockedRange {
  /** First tick in range. */
  tickLower: number;
  /** First tick above the range. */
  tickUpper: number;
  /** Uniswap's unit of liquidity. */
  liquidity: bigint;
}

/** A tick at which liquidity changes: what moving up through it adds. */
export interface TickLiquidity {
  tick: number;
  liquidityNet: bigint;
}

/** A graduated token's pool at one block. */
export interface PoolState {
  /** Square root of currency 1 per currency 0 in 96 bit fixed point. */
  sqrtPriceX96: bigint;
  /** Tick of that price, rounded down. */
  tick: number;
  /** In range at `tick`. */
  liquidity: bigint;
  /** Of the PoolManager, pips (1000000 = 100 %): low 12 bits token0 to token1, high 12 bits the other way. */
  protocolFee: number;
  /** Fee of the pool's own tier, pips. Absent: none, our fees are taken around the swap. */
  tierFee?: number;
  /** Locked by the graduation, like the next. On Uniswap v4 the only positions that the pool can have. */
  fullRange: LockedRange;
  /** USD only, below the curve's start price. */
  floor: LockedRange;
  /** Where anybody adds liquidity: all ticks at which it changes, ascending. Absent: the two ranges are all there is. */
  ticks?: readonly TickLiquidity[];
  /** Where `ticks` were cut off: what is beyond is not known, so a swap ends there. Null: not on that side. */
  knownTicks?: { from: number | null; to: number | null };
}

/** Swaps on such a pool pay its tier, and our fees around them are the builder's alone. */
export const takesTierFee = ({ tierFee }: Pick<PoolState, 'tierFee'>): boolean => tierFee !== undefined;

/** Fee of the one tier of v3 exchanges that our pools have, pips. */
export const tierFeeV3 = 10_000;

/** What is in range at this tick, where these are the pool's only positions. */
export const liquidityAt = (ranges: readonly LockedRange[], tick: number): bigint =>
  ranges.reduce(
    (sum, { tickLower, tickUpper, liquidity }) => (tickLower <= tick && tick < tickUpper ? sum + liquidity : sum),
    0n,
  );

/** Every graduated pool's. */
export const tickSpacing = 200;
/** First and last tick that a position can have. */
export const minUsableTick = Math.ceil(minTick / tickSpacing) * tickSpacing;
export const maxUsableTick = Math.floor(maxTick / tickSpacing) * tickSpacing;

/** Ticks in one word of the bitmap. */
const wordTicks = 256 * tickSpacing;
const pipsScale = 1_000_000n;

export interface SwapOrder {
  /** token0 in, token1 out. */
  zeroForOne: boolean;
  /** Whether `amount` is what goes in; otherwise what comes out. */
  exactIn: boolean;
  /** The exact side, more than zero; base units of its currency. */
  amount: bigint;
}

export interface SwapResult {
  /** Base units of the currency that goes in, the pool's fee included. */
  amountIn: bigint;
  /** Base units of the currency that comes out. */
  amountOut: bigint;
  /** Part of `amountIn` that the pool keeps, for its exchange or its positions. */
  poolFee: bigint;
  /** Part of `amount` that found no liquidity; 0 when the order filled. */
  unfilled: bigint;
  /** The pool after the swap. */
  after: PoolState;
}

/** Swaps up to the end of all prices, where what is left stays `unfilled`. */
export const swap = (pool: PoolState, { zeroForOne, exactIn, amount }: SwapOrder): SwapResult => {
  // A pool has one of the two.
  const feePips = BigInt(pool.tierFee ?? (zeroForOne ? pool.protocolFee & 0xfff : pool.protocolFee >> 12));
  const endX96 = endOf(pool, zeroForOne);
  const ticks = pool.ticks ?? ticksOf([pool.fullRange, pool.floor]);
  let { sqrtPriceX96, tick, liquidity } = pool;
  let [remaining, amountIn, amountOut, poolFee] = [amount, 0n, 0n, 0n];

  while (remaining > 0n && sqrtPriceX96 !== endX96) {
    const tickNext = nextStop(ticks, tick, zeroForOne);
    const stopX96 = sqrtPriceX96Of(tickNext);
    const targetX96 = zeroForOne ? larger(stopX96, endX96) : smaller(stopX96, endX96);
    const step = swapStep(sqrtPriceX96, targetX96, liquidity, remaining, feePips, exactIn);

    remaining -= exactIn ? step.amountIn + step.fee : step.amountOut;
    amountIn += step.amountIn + step.fee;
    amountOut += step.amountOut;
    poolFee += step.fee;

    if (step.sqrtPriceX96 === stopX96) {
      const net = ticks.find((one) => one.tick === tickNext)?.liquidityNet ?? 0n;
      liquidity += zeroForOne ? -net : net;
      tick = zeroForOne ? tickNext - 1 : tickNext;
    } else if (step.sqrtPriceX96 !== sqrtPriceX96) tick = tickOf(step.sqrtPriceX96);
    sqrtPriceX96 = step.sqrtPriceX96;
  }
  return {
    amountIn,
    amountOut,
    poolFee,
    unfilled: remaining,
    after: { ...pool, sqrtPriceX96, tick, liquidity },
  };
};

/** The end of all prices, or of those around which all liquidity is known. */
const endOf = ({ knownTicks }: PoolState, zeroForOne: boolean): bigint => {
  const known = zeroForOne ? knownTicks?.from : knownTicks?.to;
  if (known != null) return sqrtPriceX96Of(known);
  return zeroForOne ? minSqrtPriceX96 + 1n : maxSqrtPriceX96 - 1n;
};

/** Where these positions begin and end, ascending; a tick at which as much ends as begins is one as well. */
const ticksOf = (ranges: readonly LockedRange[]): TickLiquidity[] => {
  const nets = new Map<number, bigint>();
  const add = (tick: number, net: bigint) => nets.set(tick, (nets.get(tick) ?? 0n) + net);
  for (const { tickLower, tickUpper, liquidity } of ranges) {
    if (liquidity === 0n) continue;
    add(tickLower, liquidity);
    add(tickUpper, -liquidity);
  }
  return Array.from(nets, ([tick, liquidityNet]) => ({ tick, liquidityNet })).toSorted(
    (one, other) => one.tick - other.tick,
  );
};

/** Where the pool's search stops next: a tick with a change, or else the end of the bitmap word. */
const nextStop = (ticks: readonly TickLiquidity[], tick: number, zeroForOne: boolean): number => {
  const slot = Math.floor(tick / tickSpacing) * tickSpacing;
  if (zeroForOne) {
    const wordStart = Math.floor(slot / wordTicks) * wordTicks;
    const below = ticks.findLast((one) => one.tick <= slot)?.tick ?? minTick;
    return larger(minTick, larger(below, wordStart));
  }
  const from = slot + tickSpacing;
  const wordEnd = (Math.floor(from / wordTicks) + 1) * wordTicks - tickSpacing;
  const above = ticks.find((one) => one.tick >= from)?.tick ?? maxTick;
  return smaller(maxTick, smaller(above, wordEnd));
};

interface Step {
  sqrtPriceX96: bigint;
  /** Without the fee. */
  amountIn: bigint;
  amountOut: bigint;
  fee: bigint;
}

/** One stretch of constant liquidity: to the target price, or as far as what remains reaches. */
const swapStep = (
  priceX96: bigint,
  targetX96: bigint,
  liquidity: bigint,
  remaining: bigint,
  feePips: bigint,
  exactIn: boolean,
): Step => {
  const zeroForOne = priceX96 >= targetX96;
  const inputTo = (toX96: bigint): bigint =>
    zeroForOne ? amount0Up(toX96, priceX96, liquidity) : amount1Up(priceX96, toX96, liquidity);
  const outputTo = (toX96: bigint): bigint =>
    zeroForOne ? amount1Down(toX96, priceX96, liquidity) : amount0Down(priceX96, toX96, liquidity);
  const feeOn = (amountIn: bigint): bigint => mulDivUp(amountIn, feePips, pipsScale - feePips);

  if (exactIn) {
    const budget = (remaining * (pipsScale - feePips)) / pipsScale;
    const needed = inputTo(targetX96);
    if (budget >= needed)
      return { sqrtPriceX96: targetX96, amountIn: needed, amountOut: outputTo(targetX96), fee: feeOn(needed) };
    const reachedX96 = priceAfterInput(priceX96, liquidity, budget, zeroForOne);
    return { sqrtPriceX96: reachedX96, amountIn: budget, amountOut: outputTo(reachedX96), fee: remaining - budget };
  }
  const available = outputTo(targetX96);
  const reachedX96 = remaining >= available ? targetX96 : priceAfterOutput(priceX96, liquidity, remaining, zeroForOne);
  const amountIn = inputTo(reachedX96);
  return {
    sqrtPriceX96: reachedX96,
    amountIn,
    amountOut: remaining >= available ? available : remaining,
    fee: feeOn(amountIn),
  };
};

const larger = <T extends number | bigint>(a: T, b: T): T => (a > b ? a : b);
const smaller = <T extends number | bigint>(a: T, b: T): T => (a < b ? a : b);
