import type { Random } from '@mintage/devnet/random';
import {
  liquidityAt,
  maxUsableTick,
  minUsableTick,
  type PoolState,
  type SwapOrder,
  type TickLiquidity,
  tickSpacing,
} from '../src/maths/pool/swap.ts';
import { sqrtPriceX96Of, tickOf } from '../src/maths/pool/tickMath.ts';

/** A position of ours or of a stranger. */
export interface Position {
  tickLower: number;
  tickUpper: number;
  liquidity: bigint;
}

export interface PoolV3Case {
  pool: PoolState;
  positions: Position[];
  swaps: SwapOrder[];
}

/** Of a case, ours and a stranger's together. */
export const mostPositions = 6;

/**
 * A pool of the tier of 1 % with a full range and up to five positions of strangers, narrow and wide, beside one another and
 * over one another, and three swaps in a row, from dust to more than the pool holds.
 */
export const randomPoolV3Case = (random: Random): PoolV3Case => {
  const likely = random.chance(3) ? 100_000 : 330_000;
  const at = random.int(2 * likely) - likely;
  const startX96 = sqrtPriceX96Of(at);
  const sqrtPriceX96 = random.chance(4)
    ? startX96
    : startX96 + random.between(0n, sqrtPriceX96Of(at + 1) - startX96 - 1n);
  const tick = tickOf(sqrtPriceX96);
  const full = { tickLower: minUsableTick, tickUpper: maxUsableTick, liquidity: 1n + random.scaled(10n ** 24n) };
  const strangers = Array.from({ length: random.int(mostPositions) }, (): Position => {
    const around =
      Math.floor(tick / tickSpacing) +
      random.int(random.chance(2) ? 12 : 400) -
      random.int(random.chance(2) ? 12 : 400);
    const width = 1 + random.int(random.chance(2) ? 4 : 600);
    const [lower, upper] = [around * tickSpacing, (around + width) * tickSpacing];
    return {
      tickLower: Math.max(minUsableTick, Math.min(lower, maxUsableTick - tickSpacing)),
      tickUpper: Math.min(maxUsableTick, Math.max(upper, minUsableTick + tickSpacing)),
      liquidity: 1n + random.scaled(10n ** 26n),
    };
  });
  const positions = [full, ...strangers];
  const pool = {
    sqrtPriceX96,
    tick,
    liquidity: liquidityAt(positions, tick),
    protocolFee: 0,
    tierFee: 10_000,
    fullRange: full,
    floor: { ...full, liquidity: 0n },
    ticks: ticksOf(positions),
  };
  const reserves = [(full.liquidity << 96n) / sqrtPriceX96, (full.liquidity * sqrtPriceX96) >> 96n];
  const swaps = Array.from({ length: 3 }, (): SwapOrder => {
    const [zeroForOne, exactIn] = [random.chance(2), random.chance(2)];
    const reserve = (zeroForOne === exactIn ? reserves[0] : reserves[1]) as bigint;
    const most = random.chance(4) ? 10n ** 30n : reserve * (exactIn ? 20n : 1n) + 1n;
    return { zeroForOne, exactIn, amount: random.chance(10) ? random.between(1n, 9n) : random.scaled(most) };
  });
  return { pool, positions, swaps };
};

/** As the Lens tells them. */
const ticksOf = (positions: readonly Position[]): TickLiquidity[] => {
  const ticks = new Set(positions.flatMap(({ tickLower, tickUpper }) => [tickLower, tickUpper]));
  return Array.from(ticks, (tick) => ({
    tick,
    liquidityNet: positions.reduce(
      (net, { tickLower, tickUpper, liquidity }) =>
        net + (tick === tickLower ? liquidity : 0n) - (tick === tickUpper ? liquidity : 0n),
      0n,
    ),
  })).toSorted((one, other) => one.tick - other.tick);
};
