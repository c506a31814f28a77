/** Integer division of amounts that are not negative, with the rounding in the name. */
export const mulDivDown = (a: bigint, b: bigint, denominator: bigint): bigint => (a * b) / denominator;

export const mulDivUp = (a: bigint, b: bigint, denominator: bigint): bigint => ceilDiv(a * b, denominator);

export const ceilDiv = (a: bigint, denominator: bigint): bigint => (a + denominator - 1n) / denominator;

/** The greatest whole number whose square is at most `value`, by Newton's method from above. */
export const sqrtDown = (value: bigint): bigint => {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(16).length * 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
};
