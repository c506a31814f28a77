import { MintageError } from '@mintage/protocol';

/** When something that moves with a chain's blocks was last seen to move, on a clock that nobody sets. */
export interface Pulse {
  /**
   * Where it stands now.
   *
   * @param blockTimeMs - Of that block, milliseconds since 1970; null when unknown.
   */
  saw(block: number, blockTimeMs: number | null): void;
  /** How long it has stood still; null before the first look. */
  stillMs(): number | null;
  /** It has stood still for longer than a chain in motion does. */
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
        // It moved at some moment since the last look. The block's own time narrows that down; how wrong the clocks are
        // matters no longer than until the next block.
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
