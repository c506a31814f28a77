/**
 * Text of strangers, such as a token's name, for a terminal: what would move the cursor, colour, or turn the direction of reading is
 * shown as its number.
 */
export const plain = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
