import { describe, expect, it } from 'vitest';
import { onEvm } from '../../test/onEvm.ts';
import { MintageError } from '../schemas/errors.ts';
import { type AmountFields, exactAmountOf } from './exactAmount.ts';

const tokenUnit = 10n ** 18n;
const failure = (input: AmountFields, decimals = 6): string => {
  try {
    exactAmountOf(input, onEvm(decimals));
  } catch (error) {
    if (error instanceof MintageError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'accepted';
};

describe('exactAmountOf', () => {
  it.each([
    [{ direction: 'buy', buyAmountUSD: 12.5 }, 'buyExactIn', 12_500_000n],
    [{ direction: 'buy', buyAmountToken: 3 }, 'buyExactOut', 3n * tokenUnit],
    [{ direction: 'buy', buyAmountToken: '7' }, 'buyExactOut', 7n],
    [{ direction: 'sell', sellAmountToken: '123456789012345678901' }, 'sellExactIn', 123456789012345678901n],
    [{ direction: 'sell', sellAmountToken: 0.0000001 }, 'sellExactIn', 10n ** 11n],
    [{ direction: 'sell', sellAmountUSD: 0.000001 }, 'sellExactOut', 1n],
  ] as const)('default: %j', (input, kind, amount) => {
    expect(exactAmountOf(input, onEvm(6))).toEqual({ kind, amount });
  });

  it('behavior: R1 every decimal of at most 15 digits is exact', () => {
    for (let digits = 1; digits <= 15; digits += 1) {
      const fraction = '123456789012345'.slice(0, digits);
      expect(exactAmountOf({ direction: 'buy', buyAmountUSD: Number(`0.${fraction}`) }, onEvm(18)).amount).toBe(
        BigInt(fraction) * 10n ** BigInt(18 - digits),
      );
    }
  });

  it('error: R2 several amounts, none, or one of the other direction', () => {
    expect(failure({ direction: 'buy' })).toMatch(/buyAmountUSD: send one amount: buyAmountUSD or buyAmountToken/);
    expect(failure({ direction: 'buy', buyAmountUSD: 1, buyAmountToken: 1 })).toMatch(/only one amount/);
    expect(failure({ direction: 'buy', buyAmountUSD: 1, sellAmountUSD: 1 })).toMatch(/only one amount/);
    expect(failure({ direction: 'sell', buyAmountUSD: 1 })).toMatch(/does not fit a sell/);
  });

  it('error: zero, negative, over-precise, exponent, more than 15 digits, not a wei amount', () => {
    expect(failure({ direction: 'buy', buyAmountUSD: 0 })).toMatch(/more than zero/);
    expect(failure({ direction: 'buy', buyAmountUSD: -1 })).toMatch(/more than zero/);
    expect(failure({ direction: 'buy', buyAmountUSD: 0.0000001 })).toMatch(/at most 6 digits after the point/);
    expect(failure({ direction: 'buy', buyAmountUSD: 1e21 })).toMatch(/without an exponent/);
    expect(failure({ direction: 'buy', buyAmountUSD: 1234567890.1234567 }, 18)).toMatch(/15 significant digits/);
    expect(failure({ direction: 'sell', sellAmountToken: '1.5' })).toMatch(/whole number of base units/);
    expect(failure({ direction: 'sell', sellAmountToken: '0x10' })).toMatch(/whole number of base units/);
    expect(failure({ direction: 'sell', sellAmountToken: '0' })).toMatch(/more than zero/);
    expect(failure({ direction: 'sell', sellAmountToken: (2n ** 256n).toString() })).toMatch(/at most/);
  });
});
