import { sqrtDown } from '../rounding.ts';

/**
 * Ticks and square-root prices, bit for bit as Uniswap v4's TickMath. A tick is a power of 1.0001; a square-root price is
 * sqrt(token1 per token0) as a fixed-point number with 96 fraction bits (`sqrtPriceX96`).
 */
export const minTick = -887_272;
export const maxTick = 887_272;
/** `sqrtPriceX96Of(minTick)` and `sqrtPriceX96Of(maxTick)`; a pool's price is at least the one and below the other. */
export const minSqrtPriceX96 = 4_295_128_739n;
export const maxSqrtPriceX96 = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n;

/** Bit length of `maxTick`. */
const tickBits = 20;

/**
 * 1.0001^(-2^bit / 2) with 128 fraction bits, to the nearest, by tick bit: worked out with 384 fraction bits, where the
 * errors of twenty squarings are far below one unit.
 */
const stepFactorsX128: readonly bigint[] = (() => {
  const fractionBits = 384n;
  const factors: bigint[] = [];
  let factor = sqrtDown((10_000n << (2n * fractionBits)) / 10_001n);
  for (let bit = 0; bit < tickBits; bit += 1) {
    factors.push(((factor >> (fractionBits - 129n)) + 1n) >> 1n);
    factor = (factor * factor) >> fractionBits;
  }
  return factors;
})();

/** The square-root price of a tick, rounded up. @param tick - From `minTick` to `maxTick`. */
export const sqrtPriceX96Of = (tick: number): bigint => {
  if (tick < minTick || tick > maxTick) throw new RangeError(`tick ${tick} is outside ±${maxTick}`);
  const distance = Math.abs(tick);
  let ratioX128 = 1n << 128n;
  for (let bit = 0; bit < tickBits; bit += 1)
    if ((distance >> bit) & 1) ratioX128 = (ratioX128 * (stepFactorsX128[bit] as bigint)) >> 128n;
  if (tick > 0) ratioX128 = ((1n << 256n) - 1n) / ratioX128;
  return (ratioX128 + 0xffff_ffffn) >> 32n;
};

/** log2(1.0001) with 64 fraction bits. */
const log2OfTickX64 = 2661169563308229n;
const logBits = 16;

/**
 * The greatest tick whose square-root price is at most this one.
 *
 * @param sqrtPriceX96 - At least `minSqrtPriceX96`, below `maxSqrtPriceX96`.
 */
export const tickOf = (sqrtPriceX96: bigint): number => {
  if (sqrtPriceX96 < minSqrtPriceX96 || sqrtPriceX96 >= maxSqrtPriceX96)
    throw new RangeError(`sqrtPriceX96 ${sqrtPriceX96} is outside the range of ticks`);
  // The estimate is less than a tick below the truth or exact; the two loops settle it.
  let tick = Number((log2Down(sqrtPriceX96) << BigInt(65 - logBits)) / log2OfTickX64);
  while (tick < maxTick && sqrtPriceX96Of(tick + 1) <= sqrtPriceX96) tick += 1;
  while (sqrtPriceX96Of(tick) > sqrtPriceX96) tick -= 1;
  return tick;
};

/** log2 of a square-root price with `logBits` fraction bits, by repeated squaring. */
const log2Down = (sqrtPriceX96: bigint): bigint => {
  const wholeBits = bitLength(sqrtPriceX96) - 1;
  let log2 = BigInt(wholeBits - 96);
  let mantissaX64 = (sqrtPriceX96 << 64n) >> BigInt(wholeBits);
  for (let bit = 0; bit < logBits; bit += 1) {
    mantissaX64 = (mantissaX64 * mantissaX64) >> 64n;
    const carry = mantissaX64 >> 65n;
    log2 = (log2 << 1n) | carry;
    mantissaX64 >>= carry;
  }
  return log2;
};

const bitLength = (value: bigint): number => {
  const hex = value.toString(16);
  return 4 * hex.length - Math.clz32(Number.parseInt(hex.charAt(0), 16)) + 28;
};
