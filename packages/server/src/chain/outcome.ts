import { type Address, MintageError } from '@mintage/protocol';
import type { Outcome, TokenTransfer } from './chainClient.ts';

/** What the outcome of a simulation means, whichever chain it is of. */

/**
 * Requires that the simulation succeeded before execution.
 *
 * @throws MintageError the decoded reason, NETWORK_ERROR when the provider cannot simulate.
 */
export const requireSuccess = (outcome: Outcome): void => {
  if (outcome.ok === true) return;
  if (outcome.ok === false) throw outcome.error;
  throw new MintageError('NETWORK_ERROR', 'The provider of this chain cannot simulate, so nothing was executed.');
};

/** Gas limit of a simulated call: a fifth more than it took. */
export const gasLimitOf = (gasUsed: bigint): bigint => gasUsed + gasUsed / 5n;

/** Net change of `account` per asset, base units; assets without a change are left out. */
export const balanceChanges = (account: Address, transfers: readonly TokenTransfer[]): Map<Address, bigint> => {
  const changes = new Map<Address, bigint>();
  const add = (asset: Address, change: bigint) => changes.set(asset, (changes.get(asset) ?? 0n) + change);
  for (const { asset, from, to, amount } of transfers) {
    if (from === account) add(asset, -amount);
    if (to === account) add(asset, amount);
  }
  return new Map([...changes].filter(([, change]) => change !== 0n));
};
