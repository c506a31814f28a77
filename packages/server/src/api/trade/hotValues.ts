/**
 * Values of the index kept in memory for as long as they are asked for. When the index moves on, everything asked for
 * since the last time is loaded again together and the rest is dropped; so a busy value costs no query per request.
 *
 * Invariant: between refreshes, a value in memory was loaded after the last `refresh` began.
 */
export interface HotValues<Value> {
  /** What is in memory; undefined when it must be looked for. */
  peek(key: string): Value | undefined;
  /** From memory, else loaded. Undefined: the index does not have it; that is not remembered. */
  find(key: string): Promise<Value | undefined>;
  /**
   * Call after each change of the index, never twice at a time. Until it ends the former values are served. Forgets
   * everything when loading fails, so that nothing old is served for long.
   */
  refresh(): Promise<void>;
}

export const hotValues = <Value>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  capacity = 10_000,
): HotValues<Value> => {
  const entries = new Map<string, { value: Value; used: boolean }>();
  const loading = new Map<string, Promise<Value | undefined>>();
  let generation = 0;

  const loadOne = async (key: string): Promise<Value | undefined> => {
    for (;;) {
      const begun = generation;
      const value = (await load([key])).get(key);
      if (begun !== generation) continue;
      if (value !== undefined) {
        if (entries.size >= capacity) entries.delete(entries.keys().next().value as string);
        entries.set(key, { value, used: true });
      }
      return value;
    }
  };

  return {
    peek(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entry.used = true;
      return entry.value;
    },

    async find(key) {
      const held = this.peek(key);
      if (held !== undefined) return held;
      const known = loading.get(key);
      if (known !== undefined) return known;
      const promise = loadOne(key).finally(() => loading.delete(key));
      loading.set(key, promise);
      return promise;
    },

    async refresh() {
      generation += 1;
      for (const [key, entry] of entries) {
        if (entry.used) entry.used = false;
        else entries.delete(key);
      }
      const hot = [...entries.keys()];
      if (hot.length === 0) return;
      try {
        const values = await load(hot);
        for (const key of hot) {
          const value = values.get(key);
          const entry = entries.get(key);
          if (value === undefined) entries.delete(key);
          else if (entry !== undefined) entry.value = value;
        }
      } catch (error) {
        entries.clear();
        throw error;
      }
    },
  };
};
