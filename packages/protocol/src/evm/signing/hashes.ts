import { type Hex, keccak256, stringToBytes } from 'viem';

/** The parts of signed actions that travel as hashes. Source: wire contract 4.4, "Hash rules". */

export const textHash = (text: string): Hex => keccak256(stringToBytes(text));

/** Items joined by a bar, in their order; none: the hash of the empty text. */
export const listHash = (items: readonly string[] = []): Hex => textHash(items.join('|'));

const linkKeys = ['website', 'twitter', 'youtube', 'discord', 'telegram'] as const;
export type Links = { readonly [Key in (typeof linkKeys)[number]]?: string | undefined };

/** What clients sign for the links: absent ones are written in two ways. */
export const linksHashes = (links: Links | undefined): Hex[] => {
  const joined = textHash(linkKeys.map((key) => links?.[key] ?? '').join('|'));
  return links === undefined ? [textHash(''), joined] : [joined];
};

/**
 * What clients sign for a number of the body: as JavaScript writes it and, where it is whole, as Rust writes a float.
 * Only the text of what is absent is the same everywhere.
 */
export const amountTexts = (amount: number | undefined): string[] => {
  if (amount === undefined) return ['0'];
  const text = String(amount);
  return Number.isInteger(amount) ? [text, `${text}.0`] : [text];
};

/** A text that would let two lists give one hash: empty, with the bar that joins, or with a control character (A3). */
export const isAmbiguous = (item: string): boolean => item === '' || /[|\p{Cc}]/u.test(item);
