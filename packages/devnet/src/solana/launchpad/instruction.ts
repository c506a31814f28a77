import { type Base58, toBase58 } from '@mintage/protocol';
import {
  type AddressName,
  type ArgsOf,
  launchpadAddress as derive,
  encodeInstruction,
  type InstructionAccount,
  type InstructionName,
  instructions,
  type seedsOf,
  wellKnown,
} from '@mintage/protocol/solana';
import {
  AccountRole,
  type Address,
  address,
  getAddressEncoder,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';

/** Accounts of an instruction by name, who signs with their key. An optional one that is left out is none. */
export type Places = Record<string, Address | KeyPairSigner>;

/** An instruction of the launchpad. @throws Error when a place is not named. */
export const launchpadInstruction = <Name extends InstructionName>(
  program: Address,
  name: Name,
  places: Places,
  args: ArgsOf<Name>,
): Instruction => {
  const { system, token, token2022, instructions: sysvar } = wellKnown;
  const known: Places = {
    program,
    system: address(system),
    token: address(token),
    token2022: address(token2022),
    instructions: address(sysvar),
    ...places,
  };
  const accounts = instructions[name].accounts.map((account: InstructionAccount) => {
    const place = known[account.name] ?? (account.isOptional ? program : undefined);
    if (place === undefined) throw new Error(`${name} needs ${account.name}.`);
    if (typeof place !== 'string') return { address: place.address, role: roleOf(account), signer: place };
    // The program as none is no account that could be written.
    return { address: place, role: place === program ? AccountRole.READONLY : roleOf(account) };
  });
  return { programAddress: program, accounts, data: encodeInstruction(name, args) };
};

const roleOf = ({ isSigner, isWritable }: InstructionAccount): AccountRole => {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
};

/** One of the launchpad's addresses with its bump. */
export const launchpadAddress = <Name extends AddressName>(
  program: Address,
  name: Name,
  values: Parameters<typeof seedsOf<Name>>[1],
): readonly [address: Address, bump: number] => {
  const { address: at, bump } = derive(base58(program), name, values);
  return [address(at), bump];
};

/** The same text as the protocol means it. */
export const base58 = (one: Address): Base58 => toBase58(Uint8Array.from(getAddressEncoder().encode(one)));
