import { chainSlugs } from './chains.ts';

/** The chain slug that a misspelt one most likely means; null: none is near. */
export const nearestSlug = (written: string): string | null => {
  const typed = written.trim().toLowerCase().slice(0, 64);
  let nearest: string | null = null;
  let least = Math.floor(typed.length / 2) + 1;
  for (const slug of chainSlugs) {
    const distance = slips(typed, slug);
    if (distance < least) [nearest, least] = [slug, distance];
  }
  return nearest;
};

/** Letters to add, take away or change to make one of the other (Levenshtein). */
const slips = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [at, wanted] of [...other].entries())
      next.push(
        Math.min(
          (row[at] as number) + (letter === wanted ? 0 : 1),
          (row[at + 1] as number) + 1,
          (next[at] as number) + 1,
        ),
      );
    row = next;
  }
  return row.at(-1) as number;
};
