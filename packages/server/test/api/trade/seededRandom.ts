/** Numbers that a seed repeats. */
export interface SeededRandom {
  /** 0 to `bound` - 1. */
  below(bound: number): number;
  chance(): boolean;
  /** Decimal text from `least` to below `most`, with up to `digits` fraction digits. */
  decimal(least: number, most: number, digits: number): string;
}

/** mulberry32: 32 bits of state are plenty for choosing test amounts. */
export const seededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (bound) => Math.floor(next() * bound),
    chance: () => next() < 0.5,
    decimal: (least, most, digits) => (least + next() * (most - least)).toFixed(digits),
  };
};
