/** Most concurrent requests to one provider. */
const callsTogether = 4;

/** Results in the order of `items`, a few under way at a time; the first error ends the rest. */
export const together = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  let next = 0;
  const workInTurn = async (): Promise<void> => {
    while (next < items.length) {
      const turn = next;
      next += 1;
      try {
        results[turn] = await work(items[turn] as T);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(callsTogether, items.length) }, workInTurn));
  return results;
};

export const slices = <T>(list: readonly T[], length: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / length) }, (_, i) => list.slice(i * length, (i + 1) * length));
