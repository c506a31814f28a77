/**
 * Caches index values for as long as they are requested. When the index advances, all values requested since the last
 * time are loaded again together and the others are dropped, so a frequently used value costs no query per request.
 *
 * Invariant: between refreshes, a value in memory was loaded after the last `refresh` began.
 */
export interface HotValues<Value> {
  /** The cached value; undefined when it must be loaded. */
  peek(key: string): Value | undefined;
  /** The cached value, otherwise loaded. Undefined: the index does not have it, which is not cached. */
  find(key: string): Promise<Value | undefined>;
  /**
   * Call after each change of the index, never concurrently. Until it ends, the previous values are served. When
   * loading fails the cache is emptied, so that outdated values are not served for long.
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
