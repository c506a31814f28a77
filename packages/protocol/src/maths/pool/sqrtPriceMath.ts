import { ceilDiv, mulDivUp } from '../rounding.ts';

/**
 * What a move of the square-root price costs and gives within one stretch of constant liquidity, rounded as Uniswap v4
 * does: amounts in up, amounts out down, prices towards the side that favours the pool.
 */
const resolution = 96n;

/** token0 between two prices, `lower` ≤ `upper`: L/lower − L/upper. */
export const amount0Down = (lowerX96: bigint, upperX96: bigint, liquidity: bigint): bigint =>
  ((liquidity << resolution) * (upperX96 - lowerX96)) / upperX96 / lowerX96;

export const amount0Up = (lowerX96: bigint, upperX96: bigint, liquidity: bigint): bigint =>
  ceilDiv(mulDivUp(liquidity << resolution, upperX96 - lowerX96, upperX96), lowerX96);

/** token1 between two prices, `lower` ≤ `upper`: L·(upper − lower). */
export const amount1Down = (lowerX96: bigint, upperX96: bigint, liquidity: bigint): bigint =>
  (liquidity * (upperX96 - lowerX96)) >> resolution;

export const amount1Up = (lowerX96: bigint, upperX96: bigint, liquidity: bigint): bigint =>
  ceilDiv(liquidity * (upperX96 - lowerX96), 1n << resolution);

/** The price after `amountIn` came in. token0 lowers the price (result rounded up), token1 raises it (down). */
export const priceAfterInput = (priceX96: bigint, liquidity: bigint, amountIn: bigint, zeroForOne: boolean): bigint =>
  zeroForOne
    ? mulDivUp(liquidity << resolution, priceX96, (liquidity << resolution) + amountIn * priceX96)
    : priceX96 + (amountIn << resolution) / liquidity;

/** The price after `amountOut` went out: token1 when `zeroForOne` (result rounded down), else token0 (up). */
export const priceAfterOutput = (
  priceX96: bigint,
  liquidity: bigint,
  amountOut: bigint,
  zeroForOne: boolean,
): bigint =>
  zeroForOne
    ? priceX96 - ceilDiv(amountOut << resolution, liquidity)
    : mulDivUp(liquidity << resolution, priceX96, (liquidity << resolution) - amountOut * priceX96);
