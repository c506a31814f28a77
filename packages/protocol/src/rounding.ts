/** Integer division of amounts that are not negative, with the rounding in the name. */
export const mulDivFloor = (a: bigint, b: bigint, denominator: bigint): bigint => (a * b) / denominator;

export const mulDivCeil = (a: bigint, b: bigint, denominator: bigint): bigint => divCeil(a * b, denominator);

export const divCeil = (a: bigint, denominator: bigint): bigint => (a + denominator - 1n) / denominator;
