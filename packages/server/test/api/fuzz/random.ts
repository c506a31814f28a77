import { type SeededRandom, seededRandom } from '../trade/seededRandom.ts';

/** Choices of one case; the same seed and number give the same case again. */
export interface Choices extends SeededRandom {
  one<T>(list: readonly T[]): T;
  /** True once in `times`. */
  once(times: number): boolean;
}

export const choicesOf = (seed: number, number: number): Choices => {
  const random = seededRandom(Math.imul(seed ^ Math.imul(number, 0x9e3779b1), 0x85ebca6b));
  return {
    ...random,
    one: (list) => list[random.below(list.length)] as (typeof list)[number],
    once: (times) => random.below(times) === 0,
  };
};
