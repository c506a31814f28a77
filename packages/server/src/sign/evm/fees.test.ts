import { chainBySlug } from '@mintage/protocol';
import { describe, expect, test } from 'vitest';
import { feesFor, mostCost, replacementFees } from './fees.ts';
import { gasPolicyOf } from './gasPolicy.ts';

const gwei = 1_000_000_000n;
const policy = { ...gasPolicyOf(chainBySlug('base')), mostFeePerGas: 100n * gwei, leastTip: gwei, mostTip: 3n * gwei };

describe('feesFor', () => {
  test('default: room for twice the base fee, the tip within its bounds', () => {
    expect(feesFor({ baseFee: 10n * gwei, tip: 2n * gwei }, policy)).toEqual({
      maxFeePerGas: 22n * gwei,
      maxPriorityFeePerGas: 2n * gwei,
    });
    expect(feesFor({ baseFee: 0n, tip: 0n }, policy)?.maxPriorityFeePerGas).toBe(gwei);
    expect(feesFor({ baseFee: 0n, tip: 1000n * gwei }, policy)?.maxPriorityFeePerGas).toBe(3n * gwei);
  });

  test('W6 behavior: never above the cap; null when the market is', () => {
    expect(feesFor({ baseFee: 60n * gwei, tip: gwei }, policy)?.maxFeePerGas).toBe(100n * gwei);
    expect(feesFor({ baseFee: 99n * gwei, tip: gwei }, policy)?.maxFeePerGas).toBe(100n * gwei);
    expect(feesFor({ baseFee: 99n * gwei + 1n, tip: gwei }, policy)).toBeNull();
  });
});

describe('replacementFees', () => {
  const earlier = { maxFeePerGas: 40n * gwei, maxPriorityFeePerGas: 2n * gwei };

  test('default: both fees more than an eighth higher', () => {
    expect(replacementFees(earlier, { baseFee: gwei, tip: gwei }, policy)).toEqual({
      maxFeePerGas: 45n * gwei + 1n,
      maxPriorityFeePerGas: (2n * gwei * 9n) / 8n + 1n,
    });
  });

  test('behavior: the market when that is higher', () => {
    expect(replacementFees(earlier, { baseFee: 45n * gwei, tip: gwei }, policy)?.maxFeePerGas).toBe(91n * gwei);
  });

  test('W6 behavior: null when an eighth more is above the cap', () => {
    expect(replacementFees({ ...earlier, maxFeePerGas: 89n * gwei }, { baseFee: gwei, tip: gwei }, policy)).toBeNull();
    expect(replacementFees(earlier, { baseFee: 100n * gwei, tip: gwei }, policy)).toBeNull();
  });
});

test('mostCost leaves room for the data of a rollup, rounded up', () => {
  expect(mostCost(21_001, { maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }, { ...policy, dataFeePercent: 25n })).toBe(
    26_252n,
  );
});
