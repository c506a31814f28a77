import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';

test('backoffMs: between half and all of a rest that doubles up to the longest', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000 }), (failures) => {
      const rest = Math.min(5_000, 200 * 2 ** (failures - 1));
      const ms = backoffMs(failures, 200, 5_000);
      expect(ms).toBeGreaterThanOrEqual(rest / 2);
      expect(ms).toBeLessThanOrEqual(rest);
    }),
  );
});
