import { unitsToText } from './format.ts';

/** Exact sums of decimal text: amounts are added as whole numbers of 10⁻¹⁸, never as floats. */
const places = 18;

/** @throws SyntaxError for what is no decimal number. Digits beyond the 18th are cut. */
export const unitsOf18 = (text: string): bigint => {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') throw new SyntaxError(`${text} is no decimal number.`);
  const units = BigInt(whole + part.slice(0, places).padEnd(places, '0'));
  return sign === '-' ? -units : units;
};

/** Without zeros at its end. */
export const textOf18 = (units: bigint): string => unitsToText(units, places).replace(/\.?0+$/, '');

export const sumOf = (texts: readonly string[]): string =>
  textOf18(texts.reduce((sum, text) => sum + unitsOf18(text), 0n));

export const differenceOf = (text: string, less: string): string => textOf18(unitsOf18(text) - unitsOf18(less));

/** Below 0, 0, above 0. */
export const signOf = (text: string): -1 | 0 | 1 => {
  const units = unitsOf18(text);
  return units < 0n ? -1 : units > 0n ? 1 : 0;
};

/** Percent with two places, cut; null where `whole` is 0. */
export const percentOf = (part: string, whole: string): string | null => {
  const all = unitsOf18(whole);
  return all === 0n ? null : unitsToText((unitsOf18(part) * 10_000n) / all, 2);
};
