import { describe, expect, it } from 'vitest';
import { typedAmount, typedUnits } from './amounts.ts';

describe('typedAmount', () => {
  it.each([
    ['1234.5', '1234.5'],
    ['1,234,567.89', '1234567.89'],
    ['1,000', '1000'],
    ['12,5', '12.5'],
    ['0,500', '0.500'],
    ['00,500', '00.500'],
    ['1,', '1.'],
    ['.5', '.5'],
    ['', ''],
    ['12 000', '12000'],
  ])('takes %s as %s', (text, amount) => expect(typedAmount(text)).toBe(amount));
  it.each(['-1', '1e3', '0x10', '1.2.3', '1,2,3', '0,000,5', 'abc', '∞', '١٢'])('takes %s as no amount', (text) =>
    expect(typedAmount(text)).toBe(null),
  );
});

describe('typedUnits', () => {
  it('gives base units, exactly', () => {
    expect(typedUnits('1,000', 6)).toBe(1_000_000_000n);
    expect(typedUnits('1,5', 18)).toBe(1_500_000_000_000_000_000n);
    expect(typedUnits('05.', 6)).toBe(5_000_000n);
    expect(typedUnits('.000000000000000001', 18)).toBe(1n);
  });
  it.each(['', '.', '0', '0,000', '1.0000001', '1e6', '-1'])('error: %s is none', (text) =>
    expect(typedUnits(text, 6)).toBe(null),
  );
});
