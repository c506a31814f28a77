import { mostPriorityFee } from '@mintage/protocol/solana';
import { expect, it } from 'vitest';
import { priorityFeeOf } from './priorityFee.ts';

it('priorityFeeOf: the third quarter of what was paid, nothing where nobody paid, and never more than the cap', () => {
  expect(priorityFeeOf([])).toBe(0n);
  expect(priorityFeeOf([7n])).toBe(7n);
  expect(priorityFeeOf([9n, 1n, 5n, 3n, 100n])).toBe(9n);
  expect(priorityFeeOf([...Array(150).keys()].map(BigInt))).toBe(111n);
  expect(priorityFeeOf([10n ** 12n, 10n ** 12n])).toBe(mostPriorityFee);
});
