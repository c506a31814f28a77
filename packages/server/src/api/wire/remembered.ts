interface Entry<Value> {
  value: Value;
  /** On the clock that `now` reads. */
  untilMs: number;
}

/** A cache in which each value has a time of its own to end. When it is full, the oldest entry is dropped. */
export class Remembered<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #most: number;
  readonly #now: () => number;

  constructor(most: number, now: () => number = Date.now) {
    this.#most = most;
    this.#now = now;
  }

  /** Undefined when there is none, or its time is over. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.untilMs > this.#now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** @param untilMs - Absent: it has no end. */
  set(key: string, value: Value, untilMs = Number.POSITIVE_INFINITY): void {
    this.#entries.delete(key); // so that it becomes the newest
    this.#entries.set(key, { value, untilMs });
    if (this.#entries.size > this.#most) this.#entries.delete(this.#entries.keys().next().value as string);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  deleteWhere(matches: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) if (matches(value)) this.#entries.delete(key);
  }
}
