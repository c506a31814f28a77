import type { Address } from '@mintage/protocol';
import { describe, expect, test } from 'vitest';
import { movementsOf } from './movements.ts';
import type { Holding } from './transaction.ts';

const [alice, bob, carol, vault] = ['A', 'B', 'C', 'D'].map((letter) => letter.repeat(44) as Address) as [
  Address,
  Address,
  Address,
  Address,
];
const nobody = '1'.repeat(32);
const held = (owner: Address, before: bigint, after: bigint, ownerBefore = owner): Holding => ({
  account: `${owner}${before}` as Address,
  token: 'T'.repeat(44) as Address,
  ownerBefore,
  owner,
  before,
  after,
});

describe('movementsOf', () => {
  test('one gives, one takes', () => {
    expect(movementsOf([held(vault, 100n, 60n), held(alice, 0n, 40n)])).toEqual([
      { from: vault, to: alice, amount: 40n },
    ]);
  });

  test('several give and take: every owner gets exactly the difference', () => {
    const movements = movementsOf([held(alice, 5n, 0n), held(bob, 3n, 1n), held(vault, 0n, 6n), held(carol, 1n, 2n)]);
    expect(movements).toEqual([
      { from: alice, to: vault, amount: 5n },
      { from: bob, to: vault, amount: 1n },
      { from: bob, to: carol, amount: 1n },
    ]);
  });

  test('accounts of one owner are one: what moves between them moves nowhere', () => {
    expect(movementsOf([held(alice, 9n, 2n), held(alice, 1n, 8n)])).toEqual([]);
  });

  test('what nobody gave comes from nobody, what none took goes there', () => {
    expect(movementsOf([held(vault, 0n, 1_000n)])).toEqual([{ from: nobody, to: vault, amount: 1_000n }]);
    expect(movementsOf([held(alice, 7n, 3n)])).toEqual([{ from: alice, to: nobody, amount: 4n }]);
  });

  test('an account that changes hands', () => {
    expect(movementsOf([held(bob, 7n, 7n, alice)])).toEqual([{ from: alice, to: bob, amount: 7n }]);
  });
});
