import { describe, expect, it } from 'vitest';
import { hasUnseen, isSeen, replaceUnseen } from './visibleText.ts';
import { personName, postedText, tokenWord, writtenText } from './writtenText.ts';

/** One of each kind that shows nothing. */
const kinds = [
  '\u00ad', '\u034f', '\u061c', '\u115f', '\u1160', '\u17b4', '\u180b', '\u180e', '\u200b', '\u200c', '\u200d', '\u200e',
  '\u202e', '\u2028', '\u2060', '\u2064', '\u2069', '\u2800', '\u3164', '\ufe0f', '\ufeff', '\uffa0', '\ufff0', '\ufff9',
  '\ufffc', '\ufffe', '\ue000', '\u{1bca0}', '\u{1d159}', '\u{1d173}', '\u{1fffe}', '\u{e0001}', '\u{e0041}', '\u{e007f}',
  '\u{e0100}', '\u{e0fff}', '\u{f0000}', '\u{10fffd}', '\u{10ffff}',
]; // biome-ignore format: a table

const code = (character: string): string => `U+${character.codePointAt(0)?.toString(16).toUpperCase()}`;

describe('characters that show nothing', () => {
  it.each(kinds.map((character) => [code(character), character]))(
    'error: %s is no name, alone or in one',
    (_, character) => {
      const [name, person] = [tokenWord('name', 32), personName('name', 40)];
      for (const text of [character, character.repeat(3), ` ${character} `, `Paper${character}Boat`]) {
        expect(name.safeParse(text).success, code(character)).toBe(false);
        expect(person.safeParse(text).success).toBe(false);
      }
      for (const schema of [postedText(10), writtenText('description', 10)])
        expect(schema.safeParse(character.repeat(2)).data ?? '').toBe(''); // some are taken off like spaces
      expect(isSeen(character)).toBe(false);
      // A copy of a name that differs by it is shown in another way.
      expect(replaceUnseen(`USD${character}C`, () => '\ufffd')).toBe('USD\ufffdC');
    },
  );

  it.each([
    '😀', '❤️', '❤', '👩‍🚀', '👨‍👩‍👧‍👦', '🏳️‍🌈', '👍🏽', '1️⃣', '#️⃣', '🇺🇦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👁️‍🗨️', '🧑🏽‍🚀',
  ])('behavior: %s is seen whole', (emoji) => {
    expect(hasUnseen(emoji)).toBe(false);
    expect(tokenWord('ticker', 10).parse(emoji)).toBe(emoji);
    expect(personName('name', 40).parse(`Zoë ${emoji}`)).toBe(`Zoë ${emoji}`);
  }); // biome-ignore format: a table

  it.each(['Paper Boat', 'می‌خواهم', 'क्‍ष', 'שלום', '日本', 'Ａ', '$1.00', 'a', '—'])(
    'behavior: %s is a name',
    (text) => {
      expect(tokenWord('name', 32).parse(text)).toBe(text);
    },
  );

  it('error: a selector or joiner that changes nothing', () => {
    for (const text of ['😀\ufe0f', '1\ufe0f', 'a\u200db', 'a\u200cb', '😀\u200d', '\u{1f3f4}\u{e0067}', 'A\u{e0100}'])
      expect(hasUnseen(text), JSON.stringify(text)).toBe(true);
  });

  it('behavior: names are kept composed, with plain spaces', () => {
    expect(tokenWord('name', 32).parse('  Cafe\u0301\u00a0au\u3000lait ')).toBe('Café au lait');
    expect(personName('name', 40).parse('Zoe\u0308')).toBe('Zoë');
    expect(tokenWord('ticker', 4).parse('CAFE\u0301')).toBe('CAFÉ');
  });

  it('behavior: what says something may hold more', () => {
    expect(postedText(10).parse('a\u200bb')).toBe('a\u200bb');
    expect(postedText(10).parse('')).toBe('');
  });
});
