/**
 * Text of strangers, such as a token's name, for a terminal: what would move the cursor, colour, or turn the direction of reading is
 * shown as its number. In JSON it says the same.
 */
export const plain = (text: string): string => text.replaceAll(moving, numbered);

/** The same for text of several lines, which are kept. */
export const plainLines = (text: string): string => text.split('\n').map(plain).join('\n');

const moving = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** By UTF-16 units, as JSON has it. */
const numbered = (one: string): string =>
  one
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
