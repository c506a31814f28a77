import { setTimeout as sleep } from 'node:timers/promises';

/** A read that waits for the database to say something. */
interface Waiting {
  since: number;
  cut(reason: Error): void;
}

export interface SilenceOptions {
  /** So long nothing may be said, on any connection, to any read: milliseconds. */
  afterMs: number;
  /** Resolves once the database answers on a new connection; rejects when it does not within the time. */
  probe(withinMs: number): Promise<unknown>;
  /** Whether the pool is closed, so that no read will follow. */
  isOver(): boolean;
}

/**
 * Notices that a database says nothing at all any more: frozen, or behind a network that loses everything. Then all reads that wait for it
 * fail, and further ones fail at once, until it answers again. Statements that are slow or wait for a lock are no silence: a new connection
 * is answered.
 *
 * Writes are not told: their sender has to know whether it was done (`DatabaseClient`).
 */
export class Silence {
  readonly #options: SilenceOptions;
  readonly #waiting = new Set<Waiting>();
  #heardAt = performance.now();
  #timer: NodeJS.Timeout | null = null;
  #isSilent = false;
  /** Whether a new connection is tried now. */
  #isAsking = false;

  constructor(options: SilenceOptions) {
    this.#options = options;
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** The database said something. */
  heard(): void {
    this.#heardAt = performance.now();
  }

  /**
   * @param cut - Called when the database is silent.
   * @returns To be called when the wait is over.
   */
  wait(cut: Waiting['cut']): () => void {
    const waiting = { since: performance.now(), cut };
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => this.#look(), this.#options.afterMs / 8).unref();
    return () => {
      this.#waiting.delete(waiting);
      if (this.#waiting.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  #look(): void {
    // What arrived while this process itself was busy is read between the timers and this.
    if (this.#lasts()) setImmediate(() => this.#lasts() && !this.#isAsking && void this.#begin());
  }

  #lasts(): boolean {
    const first = this.#waiting.values().next().value;
    return first !== undefined && performance.now() - Math.max(first.since, this.#heardAt) > this.#options.afterMs;
  }

  async #begin(): Promise<void> {
    const { afterMs, isOver } = this.#options;
    this.#isAsking = true;
    if (await this.#answers(afterMs / 5)) this.heard();
    else {
      this.#isSilent = true;
      for (const { cut } of this.#waiting) cut(new Error('the database says nothing'));
      while (!isOver() && !(await this.#answers(afterMs))) await sleep(afterMs / 8, undefined, { ref: false });
      this.#isSilent = false;
    }
    this.#isAsking = false;
  }

  /** Whether it answers on a new connection. */
  #answers(withinMs: number): Promise<boolean> {
    return this.#options.probe(withinMs).then(
      () => true,
      () => false,
    );
  }
}
