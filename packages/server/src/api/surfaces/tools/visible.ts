import { unseen } from '@mintage/protocol';
import { lookAlike } from './lookAlikes.ts';

/** Longest part of a text that is shown; the exact value is not shortened. */
const longest = 280;
/** Most combining marks on one letter in ordinary writing. */
const mostMarks = 2;

/**
 * A stranger's text in a safe form: at most 280 characters, on one line, with every deceptive character made visible:
 * controls, direction overrides, zero widths, unusual spaces, piled marks, angle brackets (which could end the fence
 * around it), and look-alike letters.
 */
export const visible = (text: string): string => {
  const characters = [...text];
  const shown = words(characters.slice(0, longest).join('')).join('');
  const more = characters.length - longest;
  return more > 0 ? `${shown}… (${more} more characters)` : shown;
};

const words = (text: string): string[] => text.split(/([^\p{L}\p{N}\p{M}]+)/u).map((part) => piece(part));

const piece = (part: string): string => {
  const disguised = isDisguised(part);
  let marks = 0;
  return [...part]
    .map((character) => {
      marks = /\p{M}/u.test(character) ? marks + 1 : 0;
      if (hidden.test(character) || marks > mostMarks) return name(character);
      const latin = disguised ? lookAlike(character) : undefined;
      return latin === undefined ? character : name(character, latin);
    })
    .join('');
};

/** Everything that is not plainly visible, whatever it joins, unusual spaces, and angle brackets. */
const hidden = new RegExp(`[${unseen}\\p{C}<>]|(?! )\\p{Zs}`, 'u');

/**
 * Whether a word imitates another: it contains letters that look like Latin ones, and otherwise only such letters or
 * true Latin ones. A word of another alphabet has letters that look like no Latin one, and stays as it is.
 */
const isDisguised = (word: string): boolean => {
  const letters = [...word].filter((character) => /\p{L}|\p{No}|\p{Nl}/u.test(character));
  const alike = letters.filter((letter) => lookAlike(letter) !== undefined);
  if (alike.length === 0) return false;
  return letters.some((letter) => /\p{Script=Latin}/u.test(letter)) || alike.length === letters.length;
};

const name = (character: string, latin?: string): string => {
  const code = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
  return latin === undefined ? `[U+${code}]` : `[U+${code} like ${latin}]`;
};
