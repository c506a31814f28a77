/** What a request took from its caller's allowance. */
export interface Taken {
  admitted: boolean;
  /** Requests that the allowance still admits at once. */
  remaining: number;
  /** Until the allowance is whole again, milliseconds. */
  wholeInMs: number;
  /** Until the next request is admitted, milliseconds; 0 while some remain. */
  nextInMs: number;
}

/** Allowances by key; a key's allowance is `perMinute` requests at once and refills at that rate. */
export interface Allowances {
  take(key: string, perMinute: number): Taken | Promise<Taken>;
}

const minuteMs = 60_000;

/**
 * A token bucket told by one number: how long until it is full again. A request lengthens that by its share of the
 * minute, and is admitted while it stays within the minute.
 *
 * @param debtMs - Until it was full again, before this request; not negative.
 * @param admitted - Whether this request counted.
 */
export const takenOf = (debtMs: number, perMinute: number, admitted: boolean): Taken => {
  const shareMs = minuteMs / perMinute;
  const remaining = Math.floor((minuteMs - debtMs) / shareMs + 1e-6);
  return {
    admitted,
    remaining,
    wholeInMs: debtMs,
    nextInMs: remaining > 0 ? 0 : Math.max(0, debtMs + shareMs - minuteMs),
  };
};

const sweepEvery = 10_000;

/** Allowances of this process alone. */
export class MemoryAllowances implements Allowances {
  /** When each key's allowance is whole again. */
  readonly #wholeAt = new Map<string, number>();
  readonly #now: () => number;
  #takes = 0;

  /** @param now - A clock in milliseconds that never jumps. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  take(key: string, perMinute: number): Taken {
    const now = this.#now();
    this.#takes += 1;
    if (this.#takes % sweepEvery === 0) this.#sweep(now);
    const debtMs = Math.max(0, (this.#wholeAt.get(key) ?? now) - now);
    const after = debtMs + minuteMs / perMinute;
    if (after > minuteMs + 1e-3) return takenOf(debtMs, perMinute, false);
    this.#wholeAt.set(key, now + after);
    return takenOf(after, perMinute, true);
  }

  /** How many keys are held; for tests. */
  get size(): number {
    return this.#wholeAt.size;
  }

  #sweep(now: number): void {
    for (const [key, wholeAt] of this.#wholeAt) if (wholeAt <= now) this.#wholeAt.delete(key);
  }
}
