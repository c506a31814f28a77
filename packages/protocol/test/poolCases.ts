import type { Random } from '@mintage/devnet/random';
import {
  type LockedRange,
  maxUsableTick,
  minUsableTick,
  type PoolState,
  type SwapOrder,
  tickSpacing,
} from '../src/maths/pool/swap.ts';
import { sqrtPriceX96Of, tickOf } from '../src/maths/pool/tickMath.ts';

export interface PoolCase {
  pool: PoolState;
  swaps: SwapOrder[];
}

/**
 * A pool with a full range and a floor on either side (token order), as graduation leaves it or anywhere else, and three
 * swaps in a row, from dust to more than the pool holds.
 */
export const randomPoolCase = (random: Random): PoolCase => {
  const likely = random.chance(3) ? 100_000 : 330_000;
  const tick = random.int(2 * likely) - likely;
  const startX96 = sqrtPriceX96Of(tick);
  const sqrtPriceX96 = random.chance(4)
    ? startX96
    : startX96 + random.between(0n, sqrtPriceX96Of(tick + 1) - startX96 - 1n);
  const edge = Math.floor(tick / tickSpacing) * tickSpacing + (random.int(400) - 200) * tickSpacing;
  const below = random.chance(2);
  const full = { tickLower: minUsableTick, tickUpper: maxUsableTick, liquidity: 1n + random.scaled(10n ** 24n) };
  const floor = {
    tickLower: below ? minUsableTick : edge,
    tickUpper: below ? edge : maxUsableTick,
    liquidity: random.chance(4) ? 0n : random.scaled(10n ** 26n),
  };
  const protocolFee = random.chance(2) ? 0 : random.int(1_001) | (random.int(1_001) << 12);
  const pool = poolAt(sqrtPriceX96, protocolFee, full, floor);
  const reserves = [(full.liquidity << 96n) / sqrtPriceX96, (full.liquidity * sqrtPriceX96) >> 96n];
  const swaps = Array.from({ length: 3 }, (): SwapOrder => {
    const [zeroForOne, exactIn] = [random.chance(2), random.chance(2)];
    const reserve = (zeroForOne === exactIn ? reserves[0] : reserves[1]) as bigint;
    const most = random.chance(4) ? 10n ** 30n : reserve * (exactIn ? 20n : 1n) + 1n;
    return { zeroForOne, exactIn, amount: random.chance(10) ? random.between(1n, 9n) : random.scaled(most) };
  });
  return { pool, swaps };
};

const poolAt = (sqrtPriceX96: bigint, protocolFee: number, fullRange: LockedRange, floor: LockedRange): PoolState => {
  const tick = tickOf(sqrtPriceX96);
  const liquidity = [fullRange, floor]
    .filter(({ tickLower, tickUpper }) => tickLower <= tick && tick < tickUpper)
    .reduce((sum, range) => sum + range.liquidity, 0n);
  return { sqrtPriceX96, tick, liquidity, protocolFee, fullRange, floor };
};
