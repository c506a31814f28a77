import { type Address, families } from '@mintage/protocol';
import type { Holding } from './transaction.ts';

/** Tokens that went from one owner to another. */
export interface Movement {
  from: Address;
  to: Address;
  /** Base units. */
  amount: bigint;
}

const { nobody } = families.solana.addresses;

/**
 * Movements that explain how much more or less each owner of a token has after a transaction, in the order in which the transaction
 * names their accounts. Which giver gave to which taker a transaction does not say; what no owner gave comes from nobody, as at the
 * creation, and what none took went to nobody, as when tokens are burnt.
 */
export const movementsOf = (holdings: readonly Holding[]): Movement[] => {
  const sums = new Map<Address, bigint>();
  const add = (owner: Address, amount: bigint): unknown => sums.set(owner, (sums.get(owner) ?? 0n) + amount);
  for (const { ownerBefore, owner, before, after } of holdings) {
    add(ownerBefore, -before);
    add(owner, after);
  }
  const balance = [...sums.values()].reduce((sum, one) => sum + one, 0n);
  if (balance !== 0n) add(nobody, -balance);
  const takers = [...sums].filter(([, change]) => change > 0n).map(([to, amount]) => ({ to, left: amount }));
  const movements: Movement[] = [];
  for (const [from, change] of sums) {
    for (let left = -change; left > 0n; ) {
      const taker = takers[0] as (typeof takers)[number];
      const amount = left < taker.left ? left : taker.left;
      movements.push({ from, to: taker.to, amount });
      left -= amount;
      taker.left -= amount;
      if (taker.left === 0n) takers.shift();
    }
  }
  return movements;
};
