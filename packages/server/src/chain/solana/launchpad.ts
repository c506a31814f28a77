import { type Base58, base58Addresses, type SolanaDeployment } from '@mintage/protocol';
import { type AccountOf, decodeAccount, launchpadAddress, type programAccounts } from '@mintage/protocol/solana';
import type { Account } from './rpc/calls.ts';

/** Where the launchpad is on this chain, and the addresses that follow from it. */
export interface Launchpad {
  program: Base58;
  dollarMint: Base58;
  usdDecimals: number;
  config: Base58;
}

export const launchpadOf = ({
  launchpad: program,
  usd: dollarMint,
  usdDecimals,
}: Pick<SolanaDeployment, 'launchpad' | 'usd' | 'usdDecimals'>): Launchpad => ({
  program,
  dollarMint,
  usdDecimals,
  config: launchpadAddress(program, 'config', {}).address,
});

/** What the program keeps in one of its accounts. Null for one that is not there, or is somebody else's. */
export const stateIn = <Name extends keyof typeof programAccounts>(
  { program }: Launchpad,
  name: Name,
  account: Account | null,
): AccountOf<Name> | null => (account?.owner === program ? decodeAccount(name, account.data) : null);

export const launchAddress = ({ program }: Launchpad, mint: Base58): Base58 =>
  launchpadAddress(program, 'launch', { mint }).address;

export const userAddress = ({ program }: Launchpad, wallet: Base58): Base58 =>
  launchpadAddress(program, 'user', { wallet }).address;

/** In a field of an account: nobody. */
export const isSomebody = (wallet: Base58): boolean => wallet !== base58Addresses.nobody;
