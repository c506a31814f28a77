import { type Address, type ChainType, chainTypeOf, families, invalid } from '@mintage/protocol';
import type { Chains } from '../../tokens/reading.ts';
import { evmWallets } from '../evm/walletForm.ts';
import { solanaWallets } from '../solana/walletForm.ts';
import type { WalletForm } from '../walletForm.ts';

export const walletForms: Readonly<Record<ChainType, WalletForm>> = { evm: evmWallets, solana: solanaWallets };

/**
 * A wallet that signs in, or is linked: of the EVM, or of another family that is served here.
 *
 * @param field - Path of the input field, for the refusal.
 * @throws INVALID_PARAMETERS.
 */
export const walletAddress = (chains: Chains, text: string, field: string): Address => {
  const types = new Set<ChainType>(['evm', ...[...chains.values()].map(({ chain }) => chainTypeOf(chain))]);
  for (const type of types) {
    const address = walletForms[type].parse(text);
    if (address !== null) return address;
  }
  throw invalid(field, types.has('solana') ? eitherRule : families.evm.addresses.rule);
};

const eitherRule = 'must be an address of a wallet: 0x and 40 hex digits, or base58 of 32 bytes on the curve';
