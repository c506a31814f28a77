/**
 * How long to rest after this many failures in a row: twice as long each time, of which a random half, so that those who
 * failed together do not try again together.
 *
 * @param firstMs - Longest rest after the first failure.
 */
export const backoffMs = (failures: number, firstMs: number, longestMs: number): number =>
  Math.min(longestMs, firstMs * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
