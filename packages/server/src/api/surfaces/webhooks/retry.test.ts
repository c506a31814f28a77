import { describe, expect, it } from 'vitest';
import { afterFailure } from './retry.ts';

const hour = 3_600_000;
const refused = { responseCode: 500, retryAfterMs: 0 };
const asks = (retryAfterMs: number) => afterFailure({ ...refused, retryAfterMs }, 1, 0, 0, 0.5).nextAttemptMs;
const after = (ms: number, responseCode = 500) =>
  afterFailure({ responseCode, retryAfterMs: 0 }, 9, 1_000, 1_000 + ms).status;

describe('afterFailure', () => {
  it('default: 5 s, then three times as long each time, up to 6 h', () => {
    const delays = Array.from({ length: 11 }, (_, at) => afterFailure(refused, at + 1, 0, 0, 0.5).nextAttemptMs);
    expect(delays.map((ms) => (ms as number) / 1000)).toEqual([
      5, 15, 45, 135, 405, 1_215, 3_645, 10_935, 21_600, 21_600, 21_600,
    ]);
    expect(afterFailure(refused, 1_000_000, 0, 0, 0.5).nextAttemptMs).toBe(6 * hour);
  });

  it('behavior: a quarter more or less by chance', () => {
    expect(afterFailure(refused, 1, 0, 1_000, 0).nextAttemptMs).toBe(4_750);
    expect(afterFailure(refused, 1, 0, 1_000, 1).nextAttemptMs).toBe(7_250);
  });

  it('behavior: as late as the receiver asks, never sooner than we would, and at most 6 h', () => {
    expect(asks(60_000)).toBe(60_000);
    expect(asks(1_000)).toBe(5_000);
    expect(asks(99 * hour)).toBe(6 * hour);
  });

  it('behavior: failing after 24 hours, disabled after 5 days or when the receiver is gone', () => {
    expect(after(24 * hour - 1)).toBe('active');
    expect(after(24 * hour)).toBe('failing');
    expect(after(120 * hour - 1)).toBe('failing');
    expect(after(120 * hour)).toBe('disabled');
    expect(after(0, 410)).toBe('disabled');
    expect(afterFailure({ responseCode: 410, retryAfterMs: 0 }, 1, 0, 0).nextAttemptMs).toBeNull();
  });
});
