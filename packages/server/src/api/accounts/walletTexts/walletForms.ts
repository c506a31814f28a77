import { type Address, type ChainType, families, invalid } from '@mintage/protocol';
import { evmWallets } from '../evm/walletForm.ts';
import { solanaWallets } from '../solana/walletForm.ts';
import type { WalletForm } from '../walletForm.ts';

export const walletForms: Readonly<Record<ChainType, WalletForm>> = { evm: evmWallets, solana: solanaWallets };

/** Wallets of families that can be served. */
const served = new Set(Object.values(families).flatMap(({ type, isServed }) => (isServed ? [type] : [])));

/**
 * A wallet that signs in, or is linked.
 *
 * @param field - Path of the input field, for the refusal.
 * @throws INVALID_PARAMETERS.
 */
export const walletAddress = (text: string, field: string): Address => {
  for (const type of served) {
    const address = walletForms[type].parse(text);
    if (address !== null) return address;
  }
  throw invalid(field, families.evm.addresses.rule);
};
