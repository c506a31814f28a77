import { MintageError } from '@mintage/protocol';
import { mostCounted } from '@mintage/protocol/solana';

/** @throws MintageError INVALID_PARAMETERS for an amount that no account can hold. */
export const requireCountable = (amount: bigint): void => {
  if (amount <= mostCounted) return;
  throw new MintageError('INVALID_PARAMETERS', `Solana counts up to ${mostCounted} base units, and ${amount} is more.`);
};
