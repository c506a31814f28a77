import { describe, expect, it } from 'vitest';
import { plain } from './plain.ts';

describe('plain', () => {
  it('shows a sign for what turns or hides a text, wherever it is', () => {
    const answer = { name: 'Free\u202eCDSU', tokens: [{ symbol: 'USD\u200bC', links: null, count: 2, raw: 5n }] };
    expect(plain(answer)).toEqual({
      name: 'Free\ufffdCDSU',
      tokens: [{ symbol: 'USD\ufffdC', links: null, count: 2, raw: 5n }],
    });
    expect(plain('\u2066\u2069\u3164\u0000\u009b\u2028')).toBe('\ufffd'.repeat(6));
  });
  it('leaves ordinary writing as it is', () => {
    for (const text of ['Paper Boat', 'می\u200cخواهم', 'שלום', '👩\u200d🚀 🏴', 'two\nlines\tand\r', 'é', 'Ａ'])
      expect(plain(text)).toBe(text);
    const amounts = new Map([['a', 1n]]);
    expect(plain({ amounts }).amounts).toBe(amounts);
  });
});
