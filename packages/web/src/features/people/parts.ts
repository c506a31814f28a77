import type { PostEntity } from '@mintage/sdk';

/** A piece of a text: plain, or one that means something. */
export interface Part {
  /** Where it begins. */
  at: number;
  text: string;
  entity: PostEntity | null;
}

/** A text in pieces, in order and whole, whatever is said about it: what overlaps or lies outside of it stays plain. */
export const partsOf = (text: string, entities: readonly PostEntity[]): Part[] => {
  const parts: Part[] = [];
  let at = 0;
  const upTo = (end: number, entity: PostEntity | null): void => {
    if (end > at) parts.push({ at, text: text.slice(at, end), entity });
    at = end;
  };
  for (const entity of entities.toSorted((one, other) => one.start - other.start)) {
    if (entity.start < at || entity.end <= entity.start || entity.end > text.length) continue;
    upTo(entity.start, null);
    upTo(entity.end, entity);
  }
  upTo(text.length, null);
  return parts;
};
