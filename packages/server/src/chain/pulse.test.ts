import { MintageError, staleAfterMs } from '@mintage/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPulse } from './pulse.ts';

describe('createPulse', () => {
  let nowMs = 0;
  const pass = (ms: number) => {
    nowMs += ms;
    vi.advanceTimersByTime(ms);
  };
  const pulseOf = () => createPulse({ slug: 'base', staleAfterMs: 30_000, now: () => nowMs });
  beforeEach(() => {
    nowMs = Date.parse('2030-01-01T00:00:00Z');
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => void vi.useRealTimers());

  it('default: still since the last new block, whoever looks and however often', () => {
    const pulse = pulseOf();
    expect([pulse.stillMs(), pulse.isStale]).toEqual([null, false]);
    pulse.saw(7, nowMs);
    for (let i = 0; i < 30; i += 1) {
      pass(1_000);
      pulse.saw(7, nowMs - 1_000 * (i + 1));
    }
    expect([pulse.stillMs(), pulse.isStale]).toEqual([30_000, false]);
    pass(1);
    expect(pulse.isStale).toBe(true);
    expect(() => pulse.requireMotion()).toThrow(MintageError);
    pulse.saw(8, nowMs);
    expect([pulse.stillMs(), pulse.isStale]).toEqual([0, false]);
  });

  it('behavior: what moved while nobody looked moved when its block says, and never before the last look', () => {
    const pulse = pulseOf();
    pulse.saw(7, nowMs - 62_000);
    expect(pulse.stillMs()).toBe(62_000);
    pass(60_000);
    pulse.saw(9, nowMs - 50_000);
    expect(pulse.stillMs()).toBe(50_000);
    pass(5_000);
    // The chain's clock is an hour behind ours.
    pulse.saw(10, nowMs - 3_600_000);
    expect([pulse.stillMs(), pulse.isStale]).toEqual([5_000, false]);
    pulse.saw(11, nowMs + 3_600_000);
    expect(pulse.stillMs()).toBe(0);
  });

  it('H9 behavior: a chain is stale after 30 s or ten usual gaps, whichever is longer', () => {
    expect([12_000, 200, 2_000, 3_000, null].map((blockTimeMs) => staleAfterMs({ blockTimeMs }))).toEqual([
      120_000, 30_000, 30_000, 30_000, 30_000,
    ]);
  });
});
