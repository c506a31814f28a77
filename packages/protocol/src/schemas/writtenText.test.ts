import { describe, expect, it } from 'vitest';
import { personLinks, personName, saidText, writtenLinks, writtenText } from './writtenText.ts';

describe('saidText', () => {
  const bio = saidText('bio', 5);

  it.each([
    ['decomposed letters are composed', 'Zoe\u0308', 'Zo\u00eb'],
    ['lines of other systems end alike', 'a\r\nb', 'a\nb'],
    ['what looks alike or hides is kept', '\u0430\u200b\u2028\u200e', '\u0430\u200b\u2028\u200e'],
    ['spaces around it go', ' \t a \r\n', 'a'],
    ['letters in parts count as one', '\u1112\u1161\u11ab'.repeat(5), '\ud55c'.repeat(5)],
  ])('default: %s', (_, typed, kept) => {
    expect(bio.parse(typed)).toBe(kept);
  });

  it.each(['a\tb', 'a\rb', 'a\0b', 'a\x85b', 'a\u202eb', 'a\u2066b', 'abcdef', 'x'.repeat(1_000_000)])(
    'error: %j is refused',
    (typed) => {
      expect(bio.safeParse(typed).success).toBe(false);
    },
  );
});

describe('personName', () => {
  it.each(['a\nb', 'a\r\nb', 'a\tb', 'a\u2028b', 'a\u2029b', 'a\u200eb', 'a\u200fb', 'a\u061cb', 'a\u202db'])(
    'error: %j is refused',
    (typed) => {
      expect(personName('name', 40).safeParse(typed).success).toBe(false);
    },
  );
});

describe('personLinks', () => {
  it.each([
    'http://a.example',
    'https://paypal.com@a.example',
    'https://u:p@a.example',
    'javascript:alert(1)',
    'ipfs://a',
  ])('error: %s is refused', (website) => {
    expect(personLinks.safeParse({ website }).success).toBe(false);
  });

  it.each([
    ['twitter', '@some_fox', 'https://x.com/some_fox'],
    ['telegram', '@some_fox', 'https://t.me/some_fox'],
    ['youtube', '@some.fox', 'https://www.youtube.com/@some.fox'],
    ['twitter', 'x.com/some_fox', 'https://x.com/some_fox'],
    ['twitter', 'https://x.com/@some_fox', 'https://x.com/@some_fox'],
  ])('default: as %s %s is %s', (kind, typed, address) => {
    for (const links of [personLinks, writtenLinks])
      expect(links.parse({ [kind]: typed })).toEqual({ [kind]: address });
  });

  it.each([
    ['website', '@fox'],
    ['discord', '@fox'],
    ['twitter', 'fox'],
    ['twitter', '@fox/status'],
    ['twitter', '@fox@other.example'],
    ['telegram', '@'],
  ])('error: as %s %s is neither an address nor a name', (kind, typed) => {
    for (const links of [personLinks, writtenLinks]) {
      const { error } = links.safeParse({ [kind]: typed });
      expect(error?.issues[0]?.message).toMatch(/^must be (a web|an https) address/);
    }
  });

  it('default: the scheme may be left out', () => {
    expect(personLinks.parse({ website: 'a.example', twitter: '' })).toEqual({ website: 'https://a.example/' });
  });
});

describe('writtenText, writtenLinks', () => {
  it('behavior: of tokens are as wide as they were', () => {
    expect(writtenText('description', 10).parse('e\u0308\r\n\tb')).toBe('e\u0308\r\n\tb');
    const links = { website: 'http://a.example/', discord: 'https://u:p@a.example/' };
    expect(writtenLinks.parse(links)).toEqual(links);
  });
});
