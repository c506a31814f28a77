import { tokenAccountOf as derive, wellKnown } from '@mintage/protocol/solana';
import {
  AccountRole,
  type Address,
  address,
  getAddressEncoder,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import { base58 } from './instruction.ts';

/** The few instructions of the cluster's own programs that a local deployment takes. */

const system = address(wellKnown.system);
const token = address(wellKnown.token);
const associatedToken = address(wellKnown.associatedToken);
export const mintBytes = 82;

export const writes = (at: Address) => ({ address: at, role: AccountRole.WRITABLE });
export const signs = (signer: KeyPairSigner) => ({
  address: signer.address,
  role: AccountRole.READONLY_SIGNER as AccountRole,
  signer,
});
const pays = (signer: KeyPairSigner) => ({ ...signs(signer), role: AccountRole.WRITABLE_SIGNER });
export const reads = (at: Address) => ({ address: at, role: AccountRole.READONLY });

export const createAccount = (
  payer: KeyPairSigner,
  account: KeyPairSigner,
  { lamports, bytes, owner }: { lamports: bigint; bytes: number; owner: Address },
): Instruction => {
  const data = Buffer.alloc(20);
  data.writeBigUInt64LE(lamports, 4);
  data.writeBigUInt64LE(BigInt(bytes), 12);
  return {
    programAddress: system,
    accounts: [pays(payer), pays(account)],
    data: Buffer.concat([data, addressBytes(owner)]),
  };
};

/** A mint of the classic token program that nobody can freeze. */
export const initializeMint = (mint: Address, decimals: number, authority: Address): Instruction => ({
  programAddress: token,
  accounts: [writes(mint)],
  data: Buffer.concat([Uint8Array.of(20, decimals), addressBytes(authority), Uint8Array.of(0)]),
});

/** Where a wallet's tokens of a mint are, as every wallet derives it. */
export const tokenAccountOf = (owner: Address, mint: Address, program: Address = token): Address =>
  address(derive(base58(owner), base58(mint), program === token ? 'token' : 'token2022'));

/** Does nothing where there is one. */
export const openTokenAccount = (
  payer: KeyPairSigner,
  owner: Address,
  mint: Address,
  program: Address = token,
): Instruction => ({
  programAddress: associatedToken,
  accounts: [
    pays(payer),
    writes(tokenAccountOf(owner, mint, program)),
    reads(owner),
    reads(mint),
    reads(system),
    reads(program),
  ],
  data: Uint8Array.of(1),
});

const addressBytes = (one: Address): Uint8Array => Uint8Array.from(getAddressEncoder().encode(one));
