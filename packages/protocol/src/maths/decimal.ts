import { invalid } from '../schemas/errors.ts';

/** Of a chain's base units: those of its tokens, and those of its dollar. */
export interface Decimals {
  token: number;
  usd: number;
}

/**
 * Exact decimals: base units (bigint) to and from plain text in whole units, without a float on the way. Text is plain
 * notation, at most 18 fraction digits, trailing zeros trimmed.
 */
const plain = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;
const maxFractionDigits = 18;
const ZERO = 0x30;

/** `1500000n` at 6 decimals is `1.5`. Decimals above 18 are cut to 18 fraction digits, towards zero. */
export const formatUnits = (baseUnits: bigint, decimals: number): string => {
  const negative = baseUnits < 0n;
  const digits = (negative ? -baseUnits : baseUnits).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  let end = point + Math.min(decimals, maxFractionDigits);
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  const whole = digits.slice(0, point);
  const text = end === point ? whole : `${whole}.${digits.slice(point, end)}`;
  return negative && text !== '0' ? `-${text}` : text;
};

/**
 * `1.5` at 6 decimals is `1500000n`. Zeros beyond the decimals are allowed, other digits are not: nothing is rounded.
 *
 * @param path - Field named in the error.
 * @throws INVALID_PARAMETERS for anything but plain notation, more fraction digits than the unit has, or more than 2^256 - 1.
 */
export const parseUnits = (text: string, decimals: number, path = ''): bigint => {
  const match = plain.exec(text);
  if (!match) throw invalid(path, 'must be a plain decimal number without an exponent, such as 0.0000001');
  const [, sign = '', whole = '', fraction = ''] = match;
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > decimals) throw invalid(path, `must have at most ${decimals} digits after the point`);
  const baseUnits = BigInt(whole + significant.padEnd(decimals, '0'));
  if (baseUnits > mostUint256) throw invalid(path, 'must be at most 2^256 - 1 base units');
  return sign === '-' ? -baseUnits : baseUnits;
};

/** What a chain can count, and a column of amounts can hold. */
const mostUint256 = (1n << 256n) - 1n;

const maxSignificantDigits = 15;

/**
 * A JSON number of whole units, by its text, in base units. Only numbers that survive a double are taken: at most 15
 * significant digits, no exponent, more than zero, no more fraction digits than the unit has.
 *
 * @param numberText - The number as it stood in the JSON body.
 * @throws INVALID_PARAMETERS naming `path`.
 */
export const unitsFromNumberText = (numberText: string, decimals: number, path = ''): bigint => {
  if (numberText.length > maxSignificantDigits && plain.test(numberText)) {
    const significant = numberText.replace(/^-/, '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
    if (significant.length > maxSignificantDigits)
      throw invalid(path, `must have at most ${maxSignificantDigits} significant digits; send base units as a string`);
  }
  return positive(parseUnits(numberText, decimals, path), path);
};

/**
 * A string amount: base units as decimal digits, more than zero.
 *
 * @throws INVALID_PARAMETERS naming `path`.
 */
export const unitsFromString = (text: string, path = ''): bigint => {
  if (!/^[0-9]{1,78}$/.test(text)) throw invalid(path, 'must be a whole number of base units in decimal digits');
  return positive(BigInt(text), path);
};

/**
 * Converts base units of at most 18 decimals to 18 fraction digits, so that amounts of different chains can be added exactly.
 */
export const units18 = (baseUnits: bigint, decimals: number): bigint => baseUnits * 10n ** BigInt(18 - decimals);

/** The same of dollars. */
export const usd18 = units18;

/** Whole USD as decimal text. */
export const formatUsd18 = (amount: bigint): string => formatUnits(amount, 18);

/** Far above any supply, and low enough that no product on chain overflows. */
const maxBaseUnits = (1n << 127n) - 1n;

const positive = (baseUnits: bigint, path: string): bigint => {
  if (baseUnits <= 0n) throw invalid(path, 'must be more than zero');
  if (baseUnits > maxBaseUnits) throw invalid(path, 'must be at most 2^127 - 1 base units');
  return baseUnits;
};

/** `numerator / denominator` as decimal text with 18 fraction digits, rounded down. Both at least zero. */
export const formatRatioDown = (numerator: bigint, denominator: bigint): string =>
  formatUnits((numerator * 10n ** 18n) / denominator, 18);
