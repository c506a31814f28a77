import { compact, numberToText, price, smallPrice } from '../../lib/format.ts';

export const axisUsd = (value: number): string => `$${compact(Math.max(0, value))}`;

const lowered = '₀₁₂₃₄₅₆₇₈₉';

/** Many zeros are told by a small number, as everywhere; a canvas has no markup. */
export const axisPrice = (value: number): string => {
  const text = numberToText(Math.max(0, value));
  const small = smallPrice(text);
  if (small === null) return `$${price(text)}`;
  return `$0.0${[...String(small.zeros)].map((digit) => lowered[Number(digit)]).join('')}${small.digits}`;
};
