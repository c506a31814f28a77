import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partsOf, plainEntitiesOf, tagKey } from './entities.ts';

/** `CASES=20000` for a release. */
const numRuns = Number(process.env.CASES ?? 1_000);
const token = { token_id: '056d006a-0000-4000-8000-000000000000', symbol: 'BOAT' };
const said = (text: string) => partsOf(text, token).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);

describe('partsOf', () => {
  it('default: the example of the contract', () => {
    expect(partsOf('gm $BOAT', token)).toEqual([{ kind: 'token', start: 3, end: 8, value: token.token_id }]);
  });

  it.each([
    ['@alice and (@Bob_1), @carol.', ['mention @alice', 'mention @Bob_1', 'mention @carol']],
    ['@ab @abc @aaaaaaaaaaaaaaaaaaaa @aaaaaaaaaaaaaaaaaaaaa', ['mention @abc', 'mention @aaaaaaaaaaaaaaaaaaaa']],
    ['me@alice.example @@alice @аlice @alicé @alice\u0301', []],
    ['#boats #Бумага #2030 #日本 #हिन्दी', ['tag #boats', 'tag #Бумага', 'tag #2030', 'tag #日本', 'tag #हिन्दी']],
    [`#${'a'.repeat(32)} #${'a'.repeat(33)} a#b ##c &#39; #️⃣ # x`, [`tag #${'a'.repeat(32)}`]],
    ['$BOAT $boat $BOATS $$BOAT a$BOAT $BOAT.', ['token $BOAT', 'token $boat', 'token $BOAT']],
    ['see https://a.example/x?y=1#z.', ['link https://a.example/x?y=1#z']],
    ['(https://a.example/b_(c)) “https://a.example”,', ['link https://a.example/b_(c)', 'link https://a.example']],
    ['http://a.example javascript:alert(1) HTTPS://A.EXAMPLE', ['link HTTPS://A.EXAMPLE']],
    ['https://bank.example@evil.example/@alice #x', ['tag #x']],
    ['https://bank.example\\@evil.example', ['link https://bank.example', 'mention @evil']],
    ['https:// https://@x https:///x xhttps://a.example', []],
    ['https://a.example/@alice#b$BOAT', ['link https://a.example/@alice#b$BOAT']],
    [
      'https://a.example/\u202egpj.exe https://a.example/\u200bb',
      ['link https://a.example/', 'link https://a.example/'],
    ],
    ['<script>@alice</script> <a href="https://a.example">', ['mention @alice', 'link https://a.example']],
    ['😀@alice😀#x😀', ['mention @alice', 'tag #x']],
  ])('default: %s', (text, expected) => {
    expect(said(text)).toEqual(expected);
  });

  it.each(['@', '#', '$', 'https:// ', '@a', '#$@'])('default: 2,000 times %s says nothing', (piece) => {
    expect(partsOf(piece.repeat(2_000), token).filter(({ kind }) => kind !== 'tag')).toEqual([]);
  });

  it('default: values are names and tags in small letters, and addresses as browsers have them', () => {
    const values = partsOf('@Alice #Boats https://ex\u00e4mple.org/\u00fc', token).map(({ value }) => value);
    expect(values).toEqual(['alice', 'boats', 'https://xn--exmple-cua.org/%C3%BC']);
    expect(tagKey('#BOATS')).toBe('boats');
  });

  it.each(['a.b', '$', '', '(x', 'é', '日本', '@alice', 'A B'])('behavior: a token may be called %s', (symbol) => {
    const parts = partsOf(`x $${symbol} y`, { ...token, symbol });
    expect(parts.filter(({ kind }) => kind === 'token').map(({ start, end }) => [start, end])).toEqual(
      symbol === '' ? [] : [[2, 3 + symbol.length]],
    );
  });

  it('behavior: whatever the text, parts are in order, apart, and what they say', () => {
    const pieces = fc.oneof(
      fc.constantFrom('@', '#', '$', 'https://', '$BOAT', '@alice', '#tag', ' ', '\n', '.', ')', '(', '/', '_', '\\'),
      fc.constantFrom('\u0301', '\u202e', '\u200d', '😀', '👨‍👩‍👧', 'é', 'שלום', 'a', '1', '%', '?', '"', '<', 'İ'),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    const texts = fc.array(pieces, { maxLength: 60 }).map((list) => list.join('').normalize('NFC'));
    fc.assert(
      fc.property(texts, (text) => {
        let last = 0;
        for (const { kind, start, end, value } of partsOf(text, token)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
          const slice = text.slice(start, end);
          expect(slice.isWellFormed()).toBe(true);
          const meant = {
            mention: () => slice.slice(1).toLowerCase(),
            tag: () => tagKey(slice),
            token: () => (slice.toUpperCase() === '$BOAT' ? token.token_id : ''),
            link: () => new URL(slice).href,
          };
          expect(value).toBe(meant[kind]());
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
      { numRuns },
    );
  });

  it('behavior: of a text that nobody wrote as a post ten of each kind are taken, and nobody is named', () => {
    const text = Array.from({ length: 12 }, (_, at) => `@user${at} #t${at} $BOAT https://a.example/${at}`).join(' ');
    const counts = Object.groupBy(plainEntitiesOf(text, token), ({ kind }) => kind);
    expect(Object.entries(counts).map(([kind, list]) => [kind, list?.length])).toEqual([
      ['tag', 10],
      ['token', 10],
      ['link', 10],
    ]);
  });
});
