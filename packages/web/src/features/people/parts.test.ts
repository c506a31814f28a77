import type { PostEntity } from '@mintage/sdk';
import { describe, expect, it } from 'vitest';
import { partsOf } from './parts.ts';

const tag = (start: number, end: number): PostEntity => ({ kind: 'tag', start, end, value: 'x' });
const shown = (text: string, ...entities: PostEntity[]) =>
  partsOf(text, entities).map(({ text: piece, entity }) => (entity === null ? piece : `[${piece}]`));

describe('partsOf', () => {
  it('default: pieces in order, by UTF-16 offsets', () => {
    expect(shown('gm #one 🚢 #two', tag(11, 15), tag(3, 7))).toEqual(['gm ', '[#one]', ' 🚢 ', '[#two]']);
    expect(shown('#one', tag(0, 4))).toEqual(['[#one]']);
    expect(shown('')).toEqual([]);
  });

  it('behavior: nothing of the text is lost or said twice, whatever the entities say', () => {
    const text = 'a #b c';
    const strange = [tag(2, 4), tag(3, 5), tag(2, 4), tag(-1, 2), tag(4, 4), tag(5, 2), tag(5, 99), tag(50, 60)];
    expect(
      partsOf(text, strange)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
    expect(shown(text, ...strange)).toEqual(['a ', '[#b]', ' c']);
  });
});
