import type { Db } from '../../db/serviceTables.ts';

interface Kept {
  count: Promise<number>;
  /** On the clock of `performance.now()`. */
  untilMs: number;
}

/** A count is cached for this many times as long as it took, so that counting uses at most a hundredth of the time. */
const reuseFactor = 100;

const kept = new WeakMap<Db, Map<string, Kept>>();

/**
 * A count over many rows, cached for a hundred times as long as it took: a moment on a small deployment, a second or
 * two on a large one.
 *
 * @param name - Cache key: what is counted.
 */
export const recentCount = (db: Db, name: string, take: () => Promise<number>): Promise<number> => {
  const counts = kept.get(db) ?? new Map<string, Kept>();
  kept.set(db, counts);
  const last = counts.get(name);
  if (last && performance.now() < last.untilMs) return last.count;
  const started = performance.now();
  const taken: Kept = { count: take(), untilMs: Number.POSITIVE_INFINITY };
  counts.set(name, taken);
  taken.count.then(
    () => {
      taken.untilMs = performance.now() + reuseFactor * (performance.now() - started);
    },
    () => counts.delete(name),
  );
  return taken.count;
};
