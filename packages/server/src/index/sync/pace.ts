/** How fast a backfill goes. */
export interface Pace {
  blocksPerSecond: number;
  logsPerSecond: number;
}

interface Mark {
  at: number;
  blocks: number;
  logs: number;
}

const windowMs = 10_000;

/** Measures the speed over the last ten seconds. */
export class PaceMeter {
  #marks: Mark[] = [{ at: performance.now(), blocks: 0, logs: 0 }];

  add(blocks: number, logs: number): Pace {
    const last = this.#marks.at(-1) as Mark;
    const now = { at: performance.now(), blocks: last.blocks + blocks, logs: last.logs + logs };
    this.#marks.push(now);
    while (this.#marks.length > 2 && now.at - (this.#marks[1] as Mark).at > windowMs) this.#marks.shift();
    const first = this.#marks[0] as Mark;
    const seconds = Math.max(1, now.at - first.at) / 1000;
    return {
      blocksPerSecond: (now.blocks - first.blocks) / seconds,
      logsPerSecond: (now.logs - first.logs) / seconds,
    };
  }

  /** Restarts the measurement after a pause at the head. */
  restart(): void {
    this.#marks = [{ at: performance.now(), blocks: 0, logs: 0 }];
  }
}
