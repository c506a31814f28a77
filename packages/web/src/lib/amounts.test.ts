import { describe, expect, it } from 'vitest';
import { amountProblem, readAmount, typedUnits } from './amounts.ts';

describe('readAmount', () => {
  it.each<[text: string, plain: string]>([
    ['1234.5', '1234.5'],
    ['1,234,567.89', '1234567.89'],
    ['1.234.567,89', '1234567.89'],
    ['1.234,56', '1234.56'],
    ['1,234,567', '1234567'],
    ['12,5', '12.5'],
    ['1,12', '1.12'],
    ['1,1250', '1.1250'],
    ['1234,567', '1234.567'],
    ['0,500', '0.500'],
    ['0.125', '0.125'],
    ['00,500', '00.500'],
    ['1,', '1.'],
    ['.5', '.5'],
    ['', ''],
    ['12 000', '12000'],
    ['1 234,5', '1234.5'],
    ['1’234.50', '1234.50'],
    ['１２．５', '12.5'],
  ])('default: %s is %s in every locale', (text, plain) => {
    for (const sign of ['.', ','] as const) expect(readAmount(text, sign)).toEqual({ plain });
  });

  it('behavior: what may be thousands or a fraction is read by the locale’s own sign alone', () => {
    expect(readAmount('1.125', '.')).toEqual({ plain: '1.125' });
    expect(readAmount('1,125', ',')).toEqual({ plain: '1.125' });
    for (const text of ['1,125', '999,000', '１，１２５'])
      expect(readAmount(text, '.')).toEqual({ wrong: 'ambiguous' });
    for (const text of ['1.125', '12.000']) expect(readAmount(text, ',')).toEqual({ wrong: 'ambiguous' });
  });

  it.each(['-1', '1e3', '0x10', '1.2.3', '1,2,3', '0,000,5', '1.23,4.5', '1,23.4', '$25', '25 USDC', 'abc', '∞', '١٢'])(
    'error: %s is no amount',
    (text) => {
      for (const sign of ['.', ','] as const) expect(readAmount(text, sign)).toEqual({ wrong: 'digits' });
    },
  );
});

describe('amountProblem', () => {
  it('default: says what to enter instead', () => {
    expect(amountProblem('12.50')).toBe(null);
    expect(amountProblem('$25')).toBe('Enter the amount in digits, e.g. 12.50.');
    expect(amountProblem('1,125')).toBe('1,125 can be read in two ways. Enter 1125 or 1.1250.');
  });
});

describe('typedUnits', () => {
  it('gives base units, exactly', () => {
    expect(typedUnits('1,000.0', 6)).toBe(1_000_000_000n);
    expect(typedUnits('1,5', 18)).toBe(1_500_000_000_000_000_000n);
    expect(typedUnits('05.', 6)).toBe(5_000_000n);
    expect(typedUnits('.000000000000000001', 18)).toBe(1n);
  });
  it.each(['', '.', '0', '0,000', '1,000', '1.0000001', '1e6', '-1'])('error: %s is none', (text) =>
    expect(typedUnits(text, 6)).toBe(null),
  );
});
