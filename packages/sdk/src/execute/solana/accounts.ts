import { type Address, type Base58, base58Addresses, isNobody } from '@mintage/protocol';
import { feeVaultIndex, type LaunchpadCall, launchpadAddress, tokenAccountOf } from '@mintage/protocol/solana';
import { differs, requireSame } from '../differs.ts';
import type { Whole } from './whole.ts';

/** Where a token's accounts are, which all follow from its mint. */
export const placesOf = ({ program, dollarMint }: Whole, mint: Base58) => {
  const of = (name: 'launch' | 'tokenVault' | 'usdVault'): Base58 => launchpadAddress(program, name, { mint }).address;
  return {
    mint,
    dollarMint,
    launch: of('launch'),
    tokenVault: of('tokenVault'),
    usdVault: of('usdVault'),
  };
};

export const feeVaultAt = ({ program }: Whole, index: number): Base58 =>
  launchpadAddress(program, 'feeVault', { index: Uint8Array.of(index) }).address;

export const feeVaultOf = (whole: Whole, mint: Base58): Base58 => feeVaultAt(whole, feeVaultIndex(mint));

/** A person's User; null for nobody. */
export const userOf = ({ program }: Whole, person: Address | null): Base58 | null =>
  person === null || isNobody(person) ? null : launchpadAddress(program, 'user', { wallet: person as Base58 }).address;

export const dollarAccountOf = ({ dollarMint }: Whole, wallet: Base58): Base58 =>
  tokenAccountOf(wallet, dollarMint, 'token');

/** Accounts that the reader has held against the program already. */
const readAlready: ReadonlySet<string> = new Set(['config', 'program', 'system', 'token', 'token2022', 'instructions']);

/** Holds every account of a call against where it has to be; one that nobody wanted is refused. */
export const requireAccounts = ({ name, accounts }: LaunchpadCall, wanted: Record<string, Base58 | null>): void => {
  for (const [place, address] of Object.entries(accounts))
    if (!readAlready.has(place)) requireSame(`${name}.${place}`, address, wanted[place]);
};

/** Token accounts are opened for nobody but these. */
export const requireOpens = ({ read }: Whole, allowed: readonly { owner: Base58; mint: Base58 }[]): void => {
  for (const { owner, mint } of read.opens)
    if (!allowed.some((one) => one.owner === owner && one.mint === mint))
      throw differs('opens', `an account of ${owner} for ${mint}`, 'no such opening');
};

/** What the bytes send or call beside what was asked for. */
export const requireNone = (what: string, found: readonly unknown[]): void =>
  requireSame(`${what}.length`, found.length, 0);

/** Stands for nobody in an answer. */
export const nobody = base58Addresses.nobody as Base58;
