/** What a client must keep up with; times in milliseconds. */
export interface ClientPace {
  /** The headers must arrive within this time, from the connection or from their first byte. */
  headersMs: number;
  /** A client must send a body, and read an answer, at least this fast on average, */
  bytesPerSecond: number;
  /** over any period of this length. */
  windowMs: number;
  /** A whole body must arrive within this time; a large one occupies one of few places and so must come faster. */
  bodyMs: number;
  /** Time to read an answer that was sent before the body was read. */
  lingerMs: number;
  /** Longest pause between two requests. */
  idleMs: number;
  /** Pause between two looks at the open connections. */
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
