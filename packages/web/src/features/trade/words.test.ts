import { describe, expect, it } from 'vitest';
import { saidExactly, shown, type Units } from './words.ts';

const units: Units = { usd: { symbol: 'USDC', decimals: 6 }, token: { symbol: 'BOAT', decimals: 18 } };

describe('shown', () => {
  it('cuts what is received and rounds up what is given', () => {
    expect(shown(1_999_999n, 'usd', units).text).toBe('1.99');
    expect(shown(1_990_001n, 'usd', units, 'most').text).toBe('2.00');
    expect(shown(1_453_880_999_999_999_999_999_999n, 'token', units).text).toBe('1,453,880');
    expect(saidExactly(12_345_678n, 'usd', units)).toBe('12.345678 USDC');
    expect(saidExactly(100_000_000n, 'usd', units)).toBe('100 USDC');
  });
});
