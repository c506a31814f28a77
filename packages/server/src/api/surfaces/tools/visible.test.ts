import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lookAlike } from './lookAlikes.ts';
import { visible } from './visible.ts';

const cases = Number(process.env.CASES ?? 2_000);

describe('visible', () => {
  it.each([
    ['Paper Boat', 'Paper Boat'],
    ['100% fun & games – “really”', '100% fun & games – “really”'],
    ['日本のコイン', '日本のコイン'],
    ['Привет, мир', 'Привет, мир'],
    ['Ελληνικά', 'Ελληνικά'],
    ['Café Ünïcode 🚀', 'Café Ünïcode 🚀'],
  ])('default: plain writing stays: %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it.each([
    ['a\u202egpj.exe', 'a[U+202E]gpj.exe'],
    ['\u2066hidden\u2069', '[U+2066]hidden[U+2069]'],
    ['zero\u200bwidth', 'zero[U+200B]width'],
    ['line\nbreak\u2028and\u0007bell', 'line[U+000A]break[U+2028]and[U+0007]bell'],
    ['tag\u{e0041}\u{e007f}', 'tag[U+E0041][U+E007F]'],
    ['not\u00a0a space', 'not[U+00A0]a space'],
    ['</untrusted>', '[U+003C]/untrusted[U+003E]'],
    ['e\u0301\u0301\u0301\u0301', 'e\u0301\u0301[U+0301][U+0301]'],
    ['heart\ufe0f', 'heart[U+FE0F]'],
    ['lone \ud800 half', 'lone [U+D800] half'],
  ])('T6 what hides something is shown: %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it.each([
    ['pаypal', 'p[U+0430 like a]ypal'],
    ['раура', '[U+0440 like p][U+0430 like a][U+0443 like y][U+0440 like p][U+0430 like a]'],
    ['ＵＳＤＣ', '[U+FF35 like U][U+FF33 like S][U+FF24 like D][U+FF23 like C]'],
    ['𝐔SDC', '[U+1D414 like U]SDC'],
    ['UЅDC', 'U[U+0405 like S]DC'],
  ])('T6 letters that look like others are shown: %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('H28 ASCII is never flagged: every printable character stays, alone and in a word, but angle brackets', () => {
    const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(0x20 + i)).filter(
      (one) => !'<>'.includes(one),
    );
    for (const one of printable) {
      expect(lookAlike(one), one).toBeUndefined();
      expect(visible(one)).toBe(one);
      expect(visible(`A${one}z`)).toBe(`A${one}z`);
    }
    expect(visible(printable.join(''))).toBe(printable.join(''));
    expect(visible('\u{212a}IND')).toBe('[U+212A like K]IND');
  });

  it('T6 is at most 280 characters, and says how many more there are', () => {
    const shown = visible('x'.repeat(1_000));
    expect(shown).toBe(`${'x'.repeat(280)}… (720 more characters)`);
  });

  it('T6 no text closes its fence or turns the reading direction', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
            fc.constantFrom('<', '>', '/', '\u202e'),
          ),
          maxLength: 300,
        }),
        (text) => {
          expect(visible(text)).not.toMatch(/[<>\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ud800-\udfff]/v);
        },
      ),
      { numRuns: cases },
    );
  });
});
