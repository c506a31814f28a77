import { type Base58, toBase58 } from '../chains/address.ts';
import { launchpadAddress, type TokenProgram, tokenAccountOf } from './derive.ts';
import { type InstructionAccount, type InstructionName, instructions, wellKnown } from './launchpad.ts';
import { decodeInstruction, littleEndian } from './layout.ts';
import type { Message, MessageAccount, MessageInstruction } from './message.ts';

/**
 * What a prepared transaction does, from its bytes alone: nothing but a budget, token accounts, transfers and this launchpad, every
 * account where it has to be. Whatever else stands in it is refused.
 */
export interface ReadPrepared {
  payer: Base58;
  /** Most compute units, and what is paid for a million of them beside the fee, lamports; absent: the cluster's own. */
  unitLimit: number | null;
  microLamportsPerUnit: bigint | null;
  loadedBytesLimit: number | null;
  /** Token accounts that are opened where they are not, each its owner's own. */
  opens: readonly { owner: Base58; mint: Base58; account: Base58 }[];
  /** Tokens and dollars that the sender sends, out of their own account into the recipient's. */
  transfers: readonly {
    tokenProgram: TokenProgram;
    mint: Base58;
    from: Base58;
    to: Base58;
    amount: bigint;
    decimals: number;
  }[];
  calls: readonly LaunchpadCall[];
}

export interface LaunchpadCall {
  name: InstructionName;
  /** By the names of the interface; none where the program stands for nobody. */
  accounts: Readonly<Record<string, Base58 | null>>;
  /** Behind the named ones. */
  more: readonly Base58[];
  args: Readonly<Record<string, unknown>>;
  /** What the instruction in front of it has the cluster verify, of `setReferrer`; null: nothing stands there. */
  signed: Signed | null;
}

/** A signature of ed25519 over a message, all of it in one instruction. */
export interface Signed {
  signer: Base58;
  signature: Uint8Array;
  message: Uint8Array;
}

/** @throws Error, one sentence that says what stands there. */
export const readPrepared = (message: Message, program: Base58): ReadPrepared => {
  if (message.signers.length !== 1) throw new Error('The transaction wants more signatures than the sender’s.');
  const read = {
    payer: message.payer,
    unitLimit: null as number | null,
    microLamportsPerUnit: null as bigint | null,
    loadedBytesLimit: null as number | null,
    opens: [] as ReadPrepared['opens'][number][],
    transfers: [] as ReadPrepared['transfers'][number][],
    calls: [] as LaunchpadCall[],
  };
  for (const [at, instruction] of message.instructions.entries()) {
    switch (instruction.program) {
      case wellKnown.computeBudget:
        readBudget(instruction, read);
        break;
      case wellKnown.associatedToken:
        read.opens.push(readOpening(instruction, message.payer));
        break;
      case program:
        read.calls.push(readCall(instruction, program, message.instructions[at - 1]));
        break;
      case wellKnown.ed25519:
        // It moves nothing, and means something only where the launchpad looks for it.
        if (readSigned(instruction) === null || message.instructions[at + 1]?.program !== program)
          throw new Error('The transaction verifies a signature that no prepared one has.');
        break;
      case wellKnown.token:
      case wellKnown.token2022:
        read.transfers.push(readTransfer(instruction, message.payer, program));
        break;
      default:
        throw new Error(`The transaction calls ${instruction.program}, which no prepared one does.`);
    }
  }
  return read;
};

const readBudget = (
  { data }: MessageInstruction,
  read: { unitLimit: number | null; microLamportsPerUnit: bigint | null; loadedBytesLimit: number | null },
): void => {
  const [kind, length] = [data[0], data.length];
  const value = littleEndian(data.subarray(1));
  if (kind === 2 && length === 5 && read.unitLimit === null) read.unitLimit = Number(value);
  else if (kind === 3 && length === 9 && read.microLamportsPerUnit === null) read.microLamportsPerUnit = value;
  else if (kind === 4 && length === 5 && read.loadedBytesLimit === null) read.loadedBytesLimit = Number(value);
  else throw new Error('The transaction sets a budget that no prepared one has.');
};

/** `CreateIdempotent`: payer, account, owner, mint, system program, token program. */
const readOpening = ({ accounts, data }: MessageInstruction, payer: Base58): ReadPrepared['opens'][number] => {
  const [from, account, owner, mint, system, tokens] = accounts.map(({ address }) => address);
  const name = tokens === wellKnown.token ? 'token' : tokens === wellKnown.token2022 ? 'token2022' : null;
  const isOne =
    data.length === 1 && data[0] === 1 && accounts.length === 6 && from === payer && system === wellKnown.system;
  if (!isOne || !account || !owner || !mint || name === null || account !== tokenAccountOf(owner, mint, name))
    throw new Error('The transaction opens a token account that is not its owner’s.');
  return { owner, mint, account };
};

/**
 * `TransferChecked`: the sender's account, mint, recipient's account, sender, and the launchpad where it shall be heard of; tag, amount,
 * decimals.
 */
const readTransfer = (
  { program: tokens, accounts, data }: MessageInstruction,
  payer: Base58,
  program: Base58,
): ReadPrepared['transfers'][number] => {
  const [from, mint, to, sender, named = program] = accounts.map(({ address }) => address);
  const name = tokens === wellKnown.token ? 'token' : 'token2022';
  const isOne = data.length === 10 && data[0] === 12 && accounts.length <= 5 && sender === payer && named === program;
  if (!isOne || !from || !mint || !to || from !== tokenAccountOf(payer, mint, name))
    throw new Error('The transaction calls the token program as no prepared one does.');
  const amount = littleEndian(data.subarray(1, 9));
  return { tokenProgram: name, mint, from, to, amount, decimals: data[9] as number };
};

/** Null for any but the one form that the launchpad takes: one signature, and all that it points to in the instruction itself. */
const readSigned = ({ program, accounts, data }: MessageInstruction): Signed | null => {
  const [key, signature, message] = [16, 48, 112];
  if (program !== wellKnown.ed25519 || accounts.length > 0 || data.length < message || data.length - message > 255)
    return null;
  const header = [1, 0, signature, 0, 255, 255, key, 0, 255, 255, message, 0, data.length - message, 0, 255, 255];
  if (header.some((byte, at) => data[at] !== byte)) return null;
  return {
    signer: toBase58(data.subarray(key, signature)),
    signature: data.subarray(signature, message),
    message: data.subarray(message),
  };
};

const readCall = (
  { accounts, data }: MessageInstruction,
  program: Base58,
  before: MessageInstruction | undefined,
): LaunchpadCall => {
  const decoded = decodeInstruction(data);
  if (decoded === null) throw new Error('The transaction calls the launchpad with bytes that it does not read.');
  const declared: readonly InstructionAccount[] = instructions[decoded.name].accounts;
  const named = declared.map((account, at): [string, Base58 | null] => {
    const given = accounts[at];
    if (given === undefined) throw new Error(`The call of ${decoded.name} has too few accounts.`);
    requireRole(decoded.name, account, given);
    return [account.name, account.isOptional && given.address === program ? null : given.address];
  });
  const rest = accounts.slice(declared.length);
  if (rest.length > 0 && !('more' in instructions[decoded.name]))
    throw new Error(`The call of ${decoded.name} has too many accounts.`);
  const byName = Object.fromEntries(named);
  for (const [account, address] of Object.entries(known(program)))
    if (account in byName && byName[account] !== address)
      throw new Error(`In ${decoded.name}, ${account} is not ${address}.`);
  const signed = before === undefined || decoded.name !== 'setReferrer' ? null : readSigned(before);
  return { ...decoded, accounts: byName, more: rest.map(({ address }) => address), signed };
};

/** One that may be written although it need not is harmless: the programs alone write. */
const requireRole = (
  call: string,
  { name, isSigner, isWritable, isOptional }: InstructionAccount,
  given: MessageAccount,
): void => {
  if (isSigner && !given.isSigner) throw new Error(`In ${call}, ${name} does not sign.`);
  if (isWritable && !isOptional && !given.isWritable) throw new Error(`In ${call}, ${name} cannot be written.`);
};

/** Accounts that are the same in every call. */
const known = (program: Base58): Record<string, string> => ({
  config: launchpadAddress(program, 'config', {}).address,
  program,
  system: wellKnown.system,
  token: wellKnown.token,
  token2022: wellKnown.token2022,
  instructions: wellKnown.instructions,
});
