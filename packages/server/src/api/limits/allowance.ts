/** The state of an allowance after a request. */
export interface Taken {
  admitted: boolean;
  /** Number of requests that are still admitted now. */
  remaining: number;
  /** Milliseconds until the allowance is full again. */
  wholeInMs: number;
  /** Milliseconds until the next request is admitted; 0 while some remain. */
  nextInMs: number;
}

/** Request allowances by key: at most `perMinute` requests in any period of a minute, whenever it begins. */
export interface Allowances {
  take(key: string, perMinute: number): Taken | Promise<Taken>;
}

export const minuteMs = 60_000;

/** The admitted requests of the last minute, the present one among them when it is admitted. */
export interface LastMinute {
  admitted: boolean;
  count: number;
  /** Age of the oldest and newest request in milliseconds; 0 when there is none. */
  oldestMs: number;
  newestMs: number;
}

/** A request counts until it is a minute old. */
export const takenOf = ({ admitted, count, oldestMs, newestMs }: LastMinute, perMinute: number): Taken => {
  const remaining = Math.max(0, perMinute - count);
  return {
    admitted,
    remaining,
    wholeInMs: count === 0 ? 0 : minuteMs - newestMs,
    nextInMs: remaining > 0 ? 0 : minuteMs - oldestMs,
  };
};

const sweepEvery = 10_000;

/** When the requests of one key were admitted, oldest first; those before `from` are more than a minute old. */
interface Times {
  all: number[];
  from: number;
}

/** Allowances in the memory of this process alone: one number for each request admitted in the last minute. */
export class MemoryAllowances implements Allowances {
  readonly #times = new Map<string, Times>();
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
    let times = this.#times.get(key);
    if (times === undefined) {
      times = { all: [], from: 0 };
      this.#times.set(key, times);
    }
    forgetOld(times, now);
    const { all, from } = times;
    const admitted = all.length - from < perMinute;
    if (admitted) all.push(now);
    const [oldest = now, newest = now] = [all[from], all.at(-1)];
    return takenOf({ admitted, count: all.length - from, oldestMs: now - oldest, newestMs: now - newest }, perMinute);
  }

  /** How many keys are held; for tests. */
  get size(): number {
    return this.#times.size;
  }

  #sweep(now: number): void {
    for (const [key, { all }] of this.#times) if (now - (all.at(-1) ?? 0) >= minuteMs) this.#times.delete(key);
  }
}

const forgetOld = (times: Times, now: number): void => {
  while (times.from < times.all.length && now - (times.all[times.from] as number) >= minuteMs) times.from += 1;
  if (times.from > 64 && times.from > times.all.length / 2) {
    times.all = times.all.slice(times.from);
    times.from = 0;
  }
};
