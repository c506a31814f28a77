import { MintageError } from '@mintage/protocol';

/** Tracks when a chain last advanced, on a monotonic clock. */
export interface Pulse {
  /**
   * Reports the newest block.
   *
   * @param blockTimeMs - Time of that block, milliseconds since 1970; null when unknown.
   */
  saw(block: number, blockTimeMs: number | null): void;
  /** Milliseconds since the last advance; null before the first report. */
  stillMs(): number | null;
  /** Whether it has not advanced for longer than a working chain takes. */
  readonly isStale: boolean;
  /** @throws MintageError NETWORK_ERROR when it is stale. */
  requireMotion(): void;
}

interface PulseOptions {
  slug: string;
  staleAfterMs: number;
  /** Milliseconds since 1970. */
  now: () => number;
}

export const createPulse = ({ slug, staleAfterMs, now }: PulseOptions): Pulse => {
  let block: number | null = null;
  let movedAt = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;

  return {
    saw(seen, blockTimeMs) {
      const at = performance.now();
      if (seen !== block) {
        // The chain advanced at some moment since the last report. The block's own time narrows that down; an error
        // between the two clocks matters only until the next block.
        const ageMs = blockTimeMs === null ? 0 : Math.max(0, now() - blockTimeMs);
        movedAt = at - Math.min(at - lookedAt, ageMs);
        block = seen;
      }
      lookedAt = at;
    },
    stillMs: () => (block === null ? null : performance.now() - movedAt),
    get isStale() {
      return (this.stillMs() ?? 0) > staleAfterMs;
    },
    requireMotion() {
      if (!this.isStale) return;
      const seconds = Math.floor((this.stillMs() ?? 0) / 1000);
      throw new MintageError(
        'NETWORK_ERROR',
        `The chain ${slug} has had no new block for ${seconds} s: nothing is quoted or prepared on it until it moves again.`,
      );
    },
  };
};
