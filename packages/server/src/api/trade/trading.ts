import type { Reading } from '../tokens/reading.ts';
import type { Judging } from '../tokens/walls.ts';
import type { Markets } from './markets.ts';

/** What is used to quote and prepare. */
export interface Trading extends Reading, Judging {
  markets: Markets;
  /** Milliseconds since 1970. */
  now: () => number;
}
