/** What a client must keep up with; times in milliseconds. */
export interface ClientPace {
  /** Headers are there within this, from connecting or from their first byte. */
  headersMs: number;
  /** A body, and the taking of an answer, are at least this fast, */
  bytesPerSecond: number;
  /** over any time as long as this. */
  windowMs: number;
  /** A body is there within this: a large one, which has one of few places, has to come faster. */
  bodyMs: number;
  /** For hearing an answer that came before the body was read. */
  lingerMs: number;
  /** Between two requests. */
  idleMs: number;
  checkEveryMs: number;
}

export const usualPace: ClientPace = {
  headersMs: 10_000,
  bytesPerSecond: 8 * 1024,
  windowMs: 10_000,
  bodyMs: 90_000,
  lingerMs: 1_000,
  idleMs: 72_000,
  checkEveryMs: 1_000,
};
