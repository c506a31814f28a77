import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../../test/codeOf.ts';
import { formatRatioDown, formatUnits, parseUnits, unitsFromNumberText, unitsFromString } from './decimal.ts';

describe('formatUnits', () => {
  test('default', () => {
    expect(formatUnits(1_500_000n, 6)).toBe('1.5');
    expect(formatUnits(1n, 18)).toBe('0.000000000000000001');
    expect(formatUnits(-25n, 1)).toBe('-2.5');
    expect(formatUnits(0n, 6)).toBe('0');
    expect(formatUnits(100n, 0)).toBe('100');
  });
  test('behavior: cut to 18 fraction digits', () => expect(formatUnits(-1n, 20)).toBe('0'));
});

describe('parseUnits', () => {
  test('behavior: reads back what formatUnits wrote, for any amount and decimals', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 200n), 2n ** 200n), fc.integer({ min: 0, max: 18 }), (amount, decimals) => {
        expect(parseUnits(formatUnits(amount, decimals), decimals)).toBe(amount);
      }),
    );
  });
  test('error: anything but plain notation', () => {
    for (const text of ['', '.', '1.', '.5', '01', '1e3', '0x10', ' 1', '1,5', '--1', 'NaN', 'Infinity', '1_0', '+1'])
      expect(
        codeOf(() => parseUnits(text, 6)),
        text,
      ).toBe('INVALID_PARAMETERS');
  });
  test('error: more digits than the unit has, but zeros are free', () => {
    expect(codeOf(() => parseUnits('0.0000001', 6))).toBe('INVALID_PARAMETERS');
    expect(parseUnits('0.1000000000', 6)).toBe(100_000n);
    const most = formatUnits(2n ** 256n - 1n, 6);
    expect(parseUnits(most, 6)).toBe(2n ** 256n - 1n);
    expect(codeOf(() => parseUnits(`1${most}`, 6))).toBe('INVALID_PARAMETERS');
  });
});

describe('unitsFromNumberText', () => {
  test('default', () => {
    expect(unitsFromNumberText('10.0', 6)).toBe(10_000_000n);
    expect(unitsFromNumberText('0.000001', 6)).toBe(1n);
    expect(unitsFromNumberText('123456789012345', 18)).toBe(123_456_789_012_345n * 10n ** 18n);
    expect(unitsFromNumberText('750000000', 18)).toBe(750_000_000n * 10n ** 18n);
  });
  test('error: zero, negative, exponent, over-precise', () => {
    for (const text of [
      '0',
      '0.0',
      '-0',
      '-1',
      '1e3',
      '1E-3',
      '1234567890123456',
      '0.1000000000000000055',
      '1.2345678',
    ])
      expect(
        codeOf(() => unitsFromNumberText(text, 6)),
        text,
      ).toBe('INVALID_PARAMETERS');
  });
});

describe('unitsFromString', () => {
  test('default', () => expect(unitsFromString('0001')).toBe(1n));
  test('error: not a positive whole number below 2^127', () => {
    const tooLarge = (2n ** 127n).toString();
    for (const text of ['', '0', '-1', '1.0', '1e18', '0x1', ' 1', '１', tooLarge])
      expect(
        codeOf(() => unitsFromString(text)),
        text,
      ).toBe('INVALID_PARAMETERS');
    expect(unitsFromString((2n ** 127n - 1n).toString())).toBe(2n ** 127n - 1n);
  });
});

test('formatRatioDown is exact to 18 fraction digits, rounded down', () => {
  expect(formatRatioDown(2n, 3n)).toBe('0.666666666666666666');
  expect(formatRatioDown(12_500n, 1_125_000_000n)).toBe('0.000011111111111111');
});
