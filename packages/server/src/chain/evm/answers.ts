import type { Hex } from 'viem';

/** What an EVM provider answers, checked: a number, bytes, a list, an object. */

/** The provider's answer is malformed or contradicts itself. */
export class NonsenseError extends Error {
  constructor(what: string) {
    super(`the provider answers nonsense: ${what}`);
    this.name = 'NonsenseError';
  }
}

/** Of a block, a nonce, a time: what fits into a number. */
export const quantityOf = (value: unknown): number => {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,13}$/i.test(value)) throw new NonsenseError('not a number');
  return Number(value);
};

/** Of money and gas. */
export const bigQuantityOf = (value: unknown): bigint => {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) throw new NonsenseError('not a number');
  return BigInt(value);
};

/**
 * Checks hex text and returns it in lower case. Nearly every provider sends lower case, so the hot path is one test.
 *
 * @param length - Expected length of the text including `0x`; absent: any.
 */
export const hexOf = (value: unknown, length?: number): Hex => {
  if (typeof value !== 'string' || value.length % 2 !== 0) throw new NonsenseError('not hexadecimal');
  if (length !== undefined && value.length !== length) throw new NonsenseError('hexadecimal of another length');
  if (/^0x[0-9a-f]*$/.test(value)) return value as Hex;
  if (/^0x[0-9a-f]*$/i.test(value)) return value.toLowerCase() as Hex;
  throw new NonsenseError('not hexadecimal');
};

export const hashOf = (value: unknown): Hex => hexOf(value, 66);
export const addressOf = (value: unknown): Hex => hexOf(value, 42);

export const arrayOf = (value: unknown): unknown[] => {
  if (!Array.isArray(value)) throw new NonsenseError('no list');
  return value;
};

export type Fields = Record<string, unknown>;

export const fieldsOf = (value: unknown): Fields => {
  if (typeof value !== 'object' || value === null) throw new NonsenseError('no object');
  return value as Fields;
};

/** For what a provider may not know: it answers null then. */
export const orNull =
  <Result>(parse: (value: unknown) => Result) =>
  (value: unknown): Result | null =>
    value === null ? null : parse(value);
