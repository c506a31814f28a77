import type { Base58 } from '@mintage/protocol';
import {
  type ArgsOf,
  encodeInstruction,
  type InstructionAccount,
  type InstructionName,
  instructions,
  joinBytes,
  keyBytes,
  type MessageAccount,
  type MessageInstruction,
  type TokenProgram,
  tokenAccountOf,
  wellKnown,
} from '@mintage/protocol/solana';

/** The instructions that prepared transactions are made of. */

const reads = (address: Base58): MessageAccount => ({ address, isSigner: false, isWritable: false });
const writes = (address: Base58): MessageAccount => ({ address, isSigner: false, isWritable: true });
const signs = (address: Base58): MessageAccount => ({ address, isSigner: true, isWritable: false });
const pays = (address: Base58): MessageAccount => ({ address, isSigner: true, isWritable: true });

const programs = wellKnown as Record<keyof typeof wellKnown, Base58>;

/** Accounts of an instruction by the interface's names; an optional one that is null or left out is none. */
export type Places = Readonly<Record<string, Base58 | null>>;

/**
 * An instruction of the launchpad. Programs and sysvars are known.
 *
 * @param more - Accounts behind the named ones, where the instruction takes some.
 * @throws Error when a place is not named.
 */
export const launchpadInstruction = <Name extends InstructionName>(
  program: Base58,
  name: Name,
  places: Places,
  args: ArgsOf<Name>,
  more: readonly Base58[] = [],
): MessageInstruction => {
  const known: Places = { ...programs, program, ...places };
  const declared: readonly InstructionAccount[] = instructions[name].accounts;
  const named = declared.map(({ name: place, ...role }): MessageAccount => {
    const address = known[place] ?? null;
    if (address !== null) return { address, isSigner: role.isSigner === true, isWritable: role.isWritable === true };
    if (role.isOptional) return reads(program);
    throw new Error(`${name} needs ${place}.`);
  });
  return { program, accounts: [...named, ...more.map(writes)], data: encodeInstruction(name, args) };
};

/** Opens the wallet's account for a token; does nothing where it is open. */
export const openTokenAccount = (
  payer: Base58,
  wallet: Base58,
  mint: Base58,
  tokenProgram: TokenProgram,
): MessageInstruction => ({
  program: programs.associatedToken,
  accounts: [
    pays(payer),
    writes(tokenAccountOf(wallet, mint, tokenProgram)),
    reads(wallet),
    reads(mint),
    reads(programs.system),
    reads(programs[tokenProgram]),
  ],
  data: Uint8Array.of(1),
});

/** What a transfer moves: tokens of a mint, which its program takes by these decimals alone. */
export interface Moved {
  mint: Base58;
  tokenProgram: TokenProgram;
  decimals: number;
}

/**
 * Moves base units out of the sender's account.
 *
 * @param named - The launchpad, for tokens of its own: the token program passes over it, and whoever follows the launchpad hears
 *   of the transfer.
 */
export const transferTokens = (
  { mint, tokenProgram, decimals }: Moved,
  sender: Base58,
  recipient: Base58,
  amount: bigint,
  named: readonly Base58[] = [],
): MessageInstruction => ({
  program: programs[tokenProgram],
  accounts: [
    writes(tokenAccountOf(sender, mint, tokenProgram)),
    reads(mint),
    writes(tokenAccountOf(recipient, mint, tokenProgram)),
    signs(sender),
    ...named.map(reads),
  ],
  data: joinBytes(Uint8Array.of(12), u64(amount), Uint8Array.of(decimals)),
});

export const transferLamports = (sender: Base58, recipient: Base58, lamports: bigint): MessageInstruction => ({
  program: programs.system,
  accounts: [pays(sender), writes(recipient)],
  data: joinBytes(u32(2), u64(lamports)),
});

/** Has the cluster verify one signature; everything that it points to lies in the instruction itself (threat S110). */
export const verifySignature = (signer: Base58, message: Uint8Array, signature: Uint8Array): MessageInstruction => {
  const header = Buffer.alloc(keyAt);
  header[0] = 1;
  for (const [at, value] of [signatureAt, here, keyAt, here, messageAt, message.length, here].entries())
    header.writeUInt16LE(value, 2 + 2 * at);
  return { program: programs.ed25519, accounts: [], data: joinBytes(header, keyBytes(signer), signature, message) };
};
const keyAt = 16;
const signatureAt = keyAt + 32;
const messageAt = signatureAt + 64;
const here = 0xffff;

export interface Budget {
  /** Most compute units of the whole transaction. */
  units: number;
  /** Paid for a million of them beside the fee, lamports. */
  microLamportsPerUnit: bigint;
}

/** Of all accounts that the transaction loads, programs included: far more than ours have, far less than what is set aside without it. */
const loadedBytes = 4 * 1024 * 1024;

export const budgetInstructions = ({ units, microLamportsPerUnit }: Budget): MessageInstruction[] =>
  [
    joinBytes(Uint8Array.of(2), u32(units)),
    joinBytes(Uint8Array.of(3), u64(microLamportsPerUnit)),
    joinBytes(Uint8Array.of(4), u32(loadedBytes)),
  ].map((data) => ({ program: programs.computeBudget, accounts: [], data }));

export const isBudget = ({ program }: MessageInstruction): boolean => program === programs.computeBudget;

const u32 = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: bigint): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
