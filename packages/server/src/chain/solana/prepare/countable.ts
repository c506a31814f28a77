import { MintageError } from '@mintage/protocol';

/** What an account of Solana counts at most, base units. */
export const mostCounted = 2n ** 64n - 1n;

/** @throws MintageError INVALID_PARAMETERS for an amount that no account can hold. */
export const requireCountable = (amount: bigint): void => {
  if (amount <= mostCounted) return;
  throw new MintageError('INVALID_PARAMETERS', `Solana counts up to ${mostCounted} base units, and ${amount} is more.`);
};
