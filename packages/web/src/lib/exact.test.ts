import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differenceOf, percentOf, signOf, sumOf, textOf18, unitsOf18 } from './exact.ts';

describe('exact sums', () => {
  it('keep every digit, of both signs', () => {
    expect(sumOf(['0.1', '0.2'])).toBe('0.3');
    expect(sumOf(['1453880.000000000000000001', '-0.000000000000000001'])).toBe('1453880');
    expect(differenceOf('2899.15', '2750.95')).toBe('148.2');
    expect(differenceOf('1', '1')).toBe('0');
    expect([signOf('-0.01'), signOf('0.000'), signOf('3')]).toEqual([-1, 0, 1]);
    expect(() => unitsOf18('1e5')).toThrow(SyntaxError);
  });

  it('give back any amount as it was', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (units) => {
        expect(unitsOf18(textOf18(units))).toBe(units);
      }),
    );
  });

  it('say percent only where there is a whole', () => {
    expect(percentOf('1', '3')).toBe('33.33');
    expect(percentOf('-1', '3')).toBe('-33.33');
    expect(percentOf('1', '0')).toBeNull();
  });
});
