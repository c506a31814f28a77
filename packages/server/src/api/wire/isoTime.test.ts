import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime } from './isoTime.ts';

describe('isoTime', () => {
  it('behavior: writes what a Date writes', () => {
    const end = Date.UTC(10_000, 0, 1) - 1;
    for (const ms of [0, 7, 70, 700, 951_782_400_000, end]) expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    fc.assert(fc.property(fc.integer({ min: 0, max: end }), (ms) => isoTime(ms) === new Date(ms).toISOString()));
  });
});
