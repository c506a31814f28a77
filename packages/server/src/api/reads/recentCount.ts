import type { Db } from '../../db/serviceTables.ts';

interface Kept {
  count: Promise<unknown>;
  /** On the clock of `performance.now()`. */
  untilMs: number;
}

/** A count is cached for this many times as long as it took, so that counting uses at most a hundredth of the time. */
const reuseFactor = 100;

const kept = new WeakMap<Db, Map<string, Kept>>();

/**
 * A count over many rows, or several at once, cached for a hundred times as long as it took: a moment on a small deployment, a second or
 * two on a large one.
 *
 * @param name - Cache key: what is counted, always with the same type. Nothing that callers choose freely.
 */
export const recentCount = <Counted = number>(db: Db, name: string, take: () => Promise<Counted>): Promise<Counted> => {
  const counts = kept.get(db) ?? new Map<string, Kept>();
  kept.set(db, counts);
  const last = counts.get(name);
  if (last && performance.now() < last.untilMs) return last.count as Promise<Counted>;
  const started = performance.now();
  const count = take();
  const taken: Kept = { count, untilMs: Number.POSITIVE_INFINITY };
  counts.set(name, taken);
  count.then(
    () => {
      taken.untilMs = performance.now() + reuseFactor * (performance.now() - started);
    },
    () => counts.delete(name),
  );
  return count;
};
