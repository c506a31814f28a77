import { exactAmountOf } from '@mintage/protocol';
import { describe, expect, it } from 'vitest';
import { amountField, readTerms, wholeOf } from './terms.ts';

const onEvm = (usd: number) => ({ token: 18, usd });

describe('readTerms', () => {
  it('gives base units, exactly', () => {
    expect(readTerms('buy', 'usd', '0.1', onEvm(6))).toEqual({ terms: { kind: 'buyExactIn', amount: 100_000n } });
    expect(readTerms('buy', 'token', '1.000000000000000001', onEvm(6))).toEqual({
      terms: { kind: 'buyExactOut', amount: 1_000_000_000_000_000_001n },
    });
    expect(readTerms('sell', 'token', '.5', onEvm(6))).toEqual({
      terms: { kind: 'sellExactIn', amount: 5n * 10n ** 17n },
    });
    expect(readTerms('sell', 'token', '.5', { token: 6, usd: 6 })).toEqual({
      terms: { kind: 'sellExactIn', amount: 500_000n },
    });
    expect(readTerms('sell', 'usd', '007.', onEvm(6))).toEqual({ terms: { kind: 'sellExactOut', amount: 7_000_000n } });
  });
  it('error: none, zero, too many places, more digits than a number keeps', () => {
    for (const text of ['', '.', '0', '0.000'])
      expect(readTerms('buy', 'usd', text, onEvm(6))).toEqual({ wrong: 'none' });
    expect(readTerms('buy', 'usd', '1.0000001', onEvm(6))).toEqual({ wrong: 'places' });
    for (const text of ['$25', '1e3', '1,125'])
      expect(readTerms('buy', 'usd', text, onEvm(6))).toEqual({ wrong: 'text' });
    expect(readTerms('buy', 'token', '1.0000001', { token: 6, usd: 18 })).toEqual({ wrong: 'places' });
    expect(readTerms('buy', 'usd', '1234567890123.456', onEvm(18))).toEqual({ wrong: 'digits' });
  });
  it('behavior: the number that is sent is the amount that was read', () => {
    for (const text of [
      '0.000001',
      '0.0000001',
      '123456789.123456',
      '0.1',
      '99999999.999999',
      '1240.12345678901',
      '1,000.0',
      '12,5',
    ]) {
      const read = readTerms('buy', 'usd', text, onEvm(18));
      if (!('terms' in read)) throw new Error(text);
      expect(exactAmountOf(amountField(read.terms, text), onEvm(18))).toEqual(read.terms);
    }
    expect(wholeOf('1240.123456789012345678', 'usd')).toBe('1240.12345678901');
    expect(wholeOf('1240.123456789012345678', 'token')).toBe('1240.123456789012345678');
  });
});
