import { noble } from 'ox/Ed25519';
import { sha256 } from 'ox/Hash';
import { type Base58, toBase58 } from '../chains/address.ts';
import { type AddressName, feeVaultCount, wellKnown } from './launchpad.ts';
import { joinBytes, keyBytes, seedsOf } from './layout.ts';

/**
 * Addresses that a program owns, as the runtime derives them: the hash of the seeds, a bump and the program, which must be no point of
 * ed25519, so that nobody has a key to it. The first bump from 255 down that gives one counts.
 */
export interface Derived {
  readonly address: Base58;
  readonly bump: number;
}

/**
 * The newest ones are remembered: a trade asks for the same few addresses several times, and finding out whether bytes are a point takes
 * much of its preparation.
 *
 * @throws Error when no bump gives an address, which nobody has ever seen.
 */
export const deriveAddress = (seeds: readonly Uint8Array[], program: Base58): Derived => {
  const key = `${program} ${String.fromCharCode(...joinBytes(...seeds))}`;
  const known = derived.get(key);
  if (known !== undefined) return known;
  if (derived.size >= mostDerived) derived.delete(derived.keys().next().value as string);
  const found = derive(seeds, program);
  derived.set(key, found);
  return found;
};
const mostDerived = 10_000;
const derived = new Map<string, Derived>();

const derive = (seeds: readonly Uint8Array[], program: Base58): Derived => {
  const owner = keyBytes(program);
  for (let bump = 255; bump >= 0; bump -= 1) {
    const bytes = sha256(joinBytes(...seeds, Uint8Array.of(bump), owner, marker), { as: 'Bytes' });
    if (!isOnCurve(bytes)) return { address: toBase58(bytes), bump };
  }
  throw new Error('No bump gives an address for these seeds.');
};
const marker = new TextEncoder().encode('ProgramDerivedAddress');

/** One of the launchpad's addresses. */
export const launchpadAddress = <Name extends AddressName>(
  program: Base58,
  name: Name,
  values: Parameters<typeof seedsOf<Name>>[1],
): Derived => deriveAddress(seedsOf(name, values), program);

/** Which of the launchpad's vaults a token's fees go to. */
export const feeVaultIndex = (mint: Base58): number => (keyBytes(mint)[31] as number) % feeVaultCount;

/** Where a wallet keeps a token: the account that wallets and explorers look for. */
export const tokenAccountOf = (wallet: Base58, mint: Base58, tokenProgram: TokenProgram): Base58 => {
  const seeds = [wallet, wellKnown[tokenProgram] as Base58, mint].map(keyBytes);
  return deriveAddress(seeds, wellKnown.associatedToken as Base58).address;
};
/** Dollars are of the first, launched tokens of the second. */
export type TokenProgram = 'token' | 'token2022';

/** Whether 32 bytes are a point of ed25519: a wallet's address is one, an address of a program is none. */
export const isOnCurve = (bytes: Uint8Array): boolean => {
  try {
    noble.ExtendedPoint.fromHex(bytes);
    return true;
  } catch {
    return false;
  }
};
