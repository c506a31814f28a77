import type { Hex } from 'viem';
import { NonsenseError } from '../answers.ts';

export { arrayOf, type Fields, fieldsOf, NonsenseError, orNull } from '../answers.ts';

/** What an EVM provider answers, checked: a number, bytes, a list, an object. */

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
