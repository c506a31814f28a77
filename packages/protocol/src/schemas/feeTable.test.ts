import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { creditedFees, distributionTypes, feeTable, filterableFeeTypes, quotedFees } from './feeTable.ts';

const solidity = readFileSync(new URL('../../../contracts/src/libraries/Fees.sol', import.meta.url), 'utf8');
const constant = (name: string): bigint => BigInt(new RegExp(`constant ${name} = (\\d+);`).exec(solidity)?.[1] ?? -1);

describe('feeTable', () => {
  test('default: has a row for every part of Fees.Split, and no other', () => {
    const fields = /struct Split \{([^}]*)\}/.exec(solidity)?.[1]?.match(/\w+(?=;)/g) ?? [];
    expect(new Set(feeTable.map(({ part }) => part))).toEqual(
      new Set(fields.filter((field) => field !== 'total' && field !== 'base')),
    );
  });

  test('default: shares are those of Fees.sol', () => {
    const shares = (hasReferral: boolean, hasReferrer: boolean) =>
      Object.fromEntries(
        feeTable.flatMap(({ part, shareBps }) =>
          shareBps === null ? [] : [[part, shareBps({ hasReferral, hasReferrer })]],
        ),
      );
    expect(shares(false, false)).toEqual({
      creator: constant('CREATOR_BPS'),
      referral: 0n,
      referrer: 0n,
      cashback: 0n,
    });
    expect(shares(true, true)).toEqual({
      creator: constant('CREATOR_WITH_REFERRAL_BPS'),
      referral: constant('REFERRAL_BPS'),
      referrer: constant('REFERRER_BPS'),
      cashback: constant('CASHBACK_BPS'),
    });
  });

  test('behavior: the numbers and the order that stored rows and answers rely on', () => {
    expect(distributionTypes).toEqual({ creator: 0, builder: 1, referral: 2, referrer: 3, cashback: 4, treasury: 255 });
    expect(creditedFees.map(({ part }) => part)).toEqual(['creator', 'builder', 'referral', 'referrer', 'cashback']);
    expect(quotedFees.map(({ quoteKind }) => quoteKind)).toEqual([
      'creator',
      'token_referral',
      'protocol_referrer',
      'cashback',
      'treasury',
      'builder',
      'anti_snipe',
    ]);
    expect(filterableFeeTypes).not.toContain('treasury');
  });
});
