import { describe, expect, test } from 'vitest';
import { bridgeLimit, bridgeUnit, crossingAmountDown, secondsUntilRoomUp } from './bridge.ts';

describe('crossingAmountDown', () => {
  test('X4 what is below 10⁻⁶ token stays', () => {
    expect(crossingAmountDown(10n ** 18n + bridgeUnit - 1n)).toBe(10n ** 18n);
    expect(crossingAmountDown(bridgeUnit - 1n)).toBe(0n);
    expect(crossingAmountDown(bridgeLimit)).toBe(bridgeLimit);
  });
});

describe('secondsUntilRoomUp', () => {
  test('X7 a path regains its limit in an hour, and takes no more at once', () => {
    expect(secondsUntilRoomUp(5n, 5n)).toBe(0n);
    expect(secondsUntilRoomUp(bridgeLimit, 0n)).toBe(3_600n);
    expect(secondsUntilRoomUp(bridgeLimit / 2n + 1n, bridgeLimit / 2n)).toBe(1n);
    expect(secondsUntilRoomUp(bridgeLimit + 1n, bridgeLimit)).toBeNull();
  });
});
