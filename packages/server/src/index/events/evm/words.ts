import type { Address, Eid, Hash } from '@mintage/protocol';
import type { Hex } from 'viem';

/**
 * Reads ABI words (32 bytes, 64 hex digits) by their index. Written by hand because this is the hot loop of a backfill:
 * a general decoder spends most of its time on address checksums that nobody reads here.
 */
const wordAt = (data: Hex, index: number): string => {
  const start = 2 + index * 64;
  const word = data.slice(start, start + 64);
  if (word.length !== 64) throw new RangeError(`event data has no word ${index}: ${data.length / 2 - 1} bytes`);
  return word;
};

export const uintAt = (data: Hex, index: number): bigint => BigInt(`0x${wordAt(data, index)}`);

/** A signed value of 256 bits. */
export const signedAt = (data: Hex, index: number): bigint => BigInt.asIntN(256, uintAt(data, index));

/** For values that the ABI bounds to 32 bits or less, and times; throws beyond 2^53. */
export const numberAt = (data: Hex, index: number): number => {
  const value = Number(`0x${wordAt(data, index)}`);
  if (!Number.isSafeInteger(value)) throw new RangeError(`word ${index} is beyond 2^53`);
  return value;
};

/** A signed value of at most 32 bits, e.g. a tick. */
export const intAt = (data: Hex, index: number): number => Number.parseInt(wordAt(data, index).slice(56), 16) | 0;

export const addressAt = (data: Hex, index: number): Address => once(wordAt(data, index).slice(24));

export const flagAt = (data: Hex, index: number): boolean => numberAt(data, index) !== 0;

/** An account of any chain: an address where only its low 20 bytes are set, else all 32. */
export const recipientAt = (data: Hex, index: number): Address => {
  const word = wordAt(data, index);
  return word.startsWith('0'.repeat(24)) ? once(word.slice(24)) : `0x${word}`;
};

export const wordHexAt = (data: Hex, index: number): Hex => `0x${wordAt(data, index)}`;

/**
 * The string whose offset is at word `index`. Bytes that are not UTF-8 become U+FFFD; NUL, which PostgreSQL cannot
 * store, is removed: the creator of a token chooses these bytes freely.
 *
 * @param most - Longest result in UTF-16 units; the rest is cut off.
 */
export const textAt = (data: Hex, index: number, most: number): string => {
  const offset = numberAt(data, index);
  const length = Number(BigInt(`0x${data.slice(2 + offset * 2, 2 + offset * 2 + 64) || '0'}`));
  const start = 2 + offset * 2 + 64;
  const hex = data.slice(start, start + length * 2);
  if (hex.length !== length * 2) throw new RangeError(`event data ends inside a string of ${length} bytes`);
  return Buffer.from(hex, 'hex').toString('utf8').replaceAll('\0', '').slice(0, most).toWellFormed();
};

/**
 * The bytes whose offset is at word `index`.
 *
 * @param most - Longest result in bytes; the rest is cut off.
 */
export const bytesAt = (data: Hex, index: number, most: number): Hex => {
  const start = 2 + numberAt(data, index) * 2;
  const length = Number(BigInt(`0x${data.slice(start, start + 64) || '0'}`));
  const hex = data.slice(start + 64, start + 64 + length * 2);
  if (hex.length !== length * 2) throw new RangeError(`event data ends inside ${length} bytes`);
  return `0x${hex.slice(0, most * 2)}`;
};

export const topicAddress = (topics: readonly Hex[], index: number): Address => once(topicAt(topics, index).slice(26));

/**
 * Interns addresses: equal addresses are the same string in memory, which makes comparing keys cheap and does not keep
 * the log alive from which the digits were cut.
 */
const once = (digits: string): Address => {
  const known = addresses.get(digits);
  if (known !== undefined) return known;
  if (addresses.size >= mostAddresses) addresses.clear();
  const copy = Buffer.from(digits, 'latin1').toString('latin1');
  const address: Address = `0x${copy}`;
  addresses.set(copy, address);
  return address;
};

const addresses = new Map<string, Address>();
const mostAddresses = 100_000;

export const topicAt = (topics: readonly Hex[], index: number): Hex => {
  const topic = topics[index];
  if (topic?.length !== 66) throw new RangeError(`event has no topic ${index}`);
  return topic;
};

/** An address in the form of a topic. */
export const wordOf = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;

export const isWordOf = (word: Hex | undefined, address: Hex | null): boolean =>
  address !== null && word === wordOf(address);

/** An indexed endpoint id. */
export const topicEid = (topics: readonly Hex[], index: number): Eid => Number(BigInt(topicAt(topics, index))) as Eid;

/** The id of a pool, or its address where a pool is a contract of its own: that has a word's low 20 bytes only. */
export const topicPool = (topics: readonly Hex[], index: number): Hash => {
  const word = topicAt(topics, index);
  return word.startsWith(`0x${'0'.repeat(24)}`) ? topicAddress(topics, index) : word;
};

export const topicHash = (topics: readonly Hex[], index: number): Hash => topicAt(topics, index);
