import { type Base58, fromBase58 } from '@mintage/protocol';
import { NonsenseError } from '../../chain/answers.ts';

/** What a Solana provider answers, checked: numbers stand in JSON as they are, bytes in base58. */

/** Of a slot, an index, a time. */
export const wholeOf = (value: unknown): number => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new NonsenseError('no whole number');
  return value as number;
};

/** Base units of a token, as decimal digits. */
export const amountOf = (value: unknown): bigint => {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) throw new NonsenseError('no amount');
  return BigInt(value);
};

/** No instruction has more bytes than these digits say; reading base58 takes time by the square of its length. */
const longestText = 14_100;

/** Of an instruction. */
export const bytesOf = (value: unknown): Uint8Array => {
  const bytes = typeof value === 'string' && value.length <= longestText ? fromBase58(value) : null;
  if (bytes === null) throw new NonsenseError('not base58');
  return bytes;
};

const base58Of =
  (length: number) =>
  (value: unknown): Base58 => {
    if (bytesOf(value).length !== length) throw new NonsenseError(`not base58 of ${length} bytes`);
    return value as Base58;
  };

export const addressOf = base58Of(32);
/** Of a block, or the genesis. */
export const hashOf = base58Of(32);
/** The name of a transaction. */
export const signatureOf = base58Of(64);
