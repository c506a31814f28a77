/**
 * Which characters show nothing, by Unicode's tables: for what people may write, and for what is shown of it.
 * docs/decisions/0094-visible-text.md
 */

/**
 * Part of a character class, with the flag `u`: controls, private use, half surrogates, separators of lines, what is
 * ignored by default (zero widths, marks of direction, fillers, selectors, tags), what is no character, and the few that
 * are blank by their picture alone (braille without dots, a note without a head, signs of annotation and of an object).
 */
export const unseen = String.raw`\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{fff9}-\u{fffc}\u{2800}\u{1d159}`;

/** One emoji; a selector after one that is a picture anyway is no part of it. */
const picture = String.raw`(?:\p{Emoji_Presentation}\p{Emoji_Modifier}?|\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\u{fe0f})?)`;

/** Where characters of `unseen` are a part of what is seen: in emoji, and where letters join or do not. */
const seen = [
  // A flag of a part of a country; before the pictures, one of which begins it.
  String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]+\u{e007f}`,
  String.raw`${picture}(?:\u{200d}${picture})*`,
  String.raw`[#*0-9]\u{fe0f}\u{20e3}`,
  String.raw`(?<=\p{Script=Arabic})\u{200c}(?=\p{Script=Arabic})`,
  String.raw`(?<=\p{M})[\u{200c}\u{200d}](?=\p{L})`,
].join('|');

const either = new RegExp(`(${seen})|[${unseen}]`, 'gu');

/** The text with something else for each character that shows nothing. */
export const replaceUnseen = (text: string, other: (character: string) => string): string =>
  text.replace(either, (found: string, kept: string | undefined) => kept ?? other(found));

/** Whether a text has a character that shows nothing; line feeds and tabs count. */
export const hasUnseen = (text: string): boolean => replaceUnseen(text, () => '\0').includes('\0');

/** Whether anything of a text is seen. */
export const isSeen = (text: string): boolean => /[^\p{Z}\p{M}\s]/u.test(replaceUnseen(text, () => ''));
