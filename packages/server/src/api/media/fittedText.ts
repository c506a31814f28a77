import sharp from 'sharp';
import { fontFamily } from './fonts.ts';

/** Text of strangers, such as a token's name, made fit for one line of a picture. */

/** A line that fits its box. */
export interface FittedText {
  /** Without markup: `xmlText` makes it fit for a document. */
  text: string;
  /** Height of the letters, pixels. */
  size: number;
  /** Pixels. */
  width: number;
}

export interface TextBox {
  /** Pixels. */
  width: number;
  /** Heights that the letters may have, the largest first. */
  sizes: readonly [number, ...number[]];
  weight: 'Regular' | 'SemiBold';
}

/** Most characters, as people count them, that are looked at. */
const longest = 80;
/** Most UTF-16 units of one of them: a letter may carry any number of marks. */
const heaviest = 16;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first character; '' when there is none. */
export const firstCharacter = (text: string): string => charactersOf(text)[0] ?? '';

/**
 * Those of one line, without what is not seen: control characters, what turns the direction of reading, private and unknown
 * characters. What joins letters stays.
 */
const charactersOf = (text: string): string[] => {
  const line = text
    .slice(0, longest * heaviest)
    .replace(/\s+/gu, ' ')
    .replace(/(?![\u200c\u200d])\p{C}/gu, '')
    .trim();
  return Array.from(characters.segment(line), ({ segment }) => segment.slice(0, heaviest).toWellFormed()).slice(
    0,
    longest,
  );
};

/** The text in the largest size that fits; cut where not even the smallest does. */
export const fitText = async (given: string, { width, sizes, weight }: TextBox): Promise<FittedText> => {
  const parts = charactersOf(given);
  const text = parts.join('');
  for (const size of sizes) {
    const measured = await widthOf(text, size, weight);
    if (measured <= width) return { text, size, width: measured };
  }
  const size = sizes.at(-1) as number;
  const cut = (count: number): string => `${parts.slice(0, count).join('').trimEnd()}…`;
  // The most characters that fit lie between these two.
  let [fits, tooMany] = [0, parts.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if ((await widthOf(cut(middle), size, weight)) <= width) fits = middle;
    else tooMany = middle;
  }
  return { text: cut(fits), size, width };
};

/** Pixels, as the library measures it that draws it too. */
const widthOf = async (text: string, size: number, weight: TextBox['weight']): Promise<number> => {
  if (text.trim() === '') return 0;
  const font = `${fontFamily} ${weight} ${size}`;
  try {
    const { width } = await sharp({ text: { text: xmlText(text), font, dpi: 72 } }).metadata();
    return width;
  } catch (error) {
    // What only varies or joins a letter is nothing alone; which characters have no ink is for the fonts of the machine.
    if (error instanceof Error && error.message.endsWith('no text to render')) return 0;
    throw error;
  }
};

/** Text as it stands between two tags, or in a quoted attribute. */
export const xmlText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
