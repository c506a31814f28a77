import { type Base58, parseBase58Address } from '@mintage/protocol';
import { arrayOf, type Fields, NonsenseError } from '../../answers.ts';

/** What a provider of Solana answers, checked: a number, an address, bytes, a list, an object. */

/** Of a slot, a height, a time. */
export const wholeOf = (value: unknown): number => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new NonsenseError('not a number');
  return value;
};

/** Of lamports and units. Beyond 2^53, nine million SOL, JSON has no more exact numbers: the few wallets that hold so much have a little less. */
export const amountOf = (value: unknown): bigint => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw new NonsenseError('not an amount');
  return BigInt(value);
};

export const keyOf = (value: unknown): Base58 => {
  const address = typeof value === 'string' ? parseBase58Address(value) : null;
  if (address === null) throw new NonsenseError('not an address');
  return address as Base58;
};

/** Data of any length, none included. */
export const base58Of = (value: unknown): string => {
  if (typeof value === 'string' && /^[1-9A-HJ-NP-Za-km-z]*$/.test(value)) return value;
  throw new NonsenseError('not base58');
};

/** `[text, 'base64']`, as accounts and transactions come. */
export const base64Of = (value: unknown): Uint8Array => {
  const [text, encoding] = arrayOf(value);
  if (typeof text !== 'string' || encoding !== 'base64' || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new NonsenseError('not base64');
  return new Uint8Array(Buffer.from(text, 'base64'));
};

export const fieldsOf = (value: unknown): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new NonsenseError('no object');
  return value as Fields;
};

/** For what a provider may not know: it answers null then. */
export const orNull =
  <Result>(parse: (value: unknown) => Result) =>
  (value: unknown): Result | null =>
    value == null ? null : parse(value);

/** An answer with the slot whose state it tells. */
export interface AtSlot<Value> {
  slot: number;
  value: Value;
}

export const atSlot =
  <Value>(parse: (value: unknown) => Value) =>
  (answer: unknown): AtSlot<Value> => {
    const { context, value } = fieldsOf(answer);
    return { slot: wholeOf(fieldsOf(context).slot), value: parse(value) };
  };
