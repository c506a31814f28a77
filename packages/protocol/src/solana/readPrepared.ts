import type { Base58 } from '../chains/address.ts';
import { launchpadAddress, tokenAccountOf } from './derive.ts';
import { type InstructionAccount, type InstructionName, instructions, wellKnown } from './launchpad.ts';
import { decodeInstruction, littleEndian } from './layout.ts';
import type { Message, MessageAccount, MessageInstruction } from './message.ts';

/**
 * What a prepared transaction does, from its bytes alone: nothing but a budget, the sender's token accounts and this launchpad, every
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
  calls: readonly LaunchpadCall[];
}

export interface LaunchpadCall {
  name: InstructionName;
  /** By the names of the interface; none where the program stands for nobody. */
  accounts: Readonly<Record<string, Base58 | null>>;
  /** Behind the named ones. */
  more: readonly Base58[];
  args: Readonly<Record<string, unknown>>;
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
    calls: [] as LaunchpadCall[],
  };
  for (const instruction of message.instructions) {
    switch (instruction.program) {
      case wellKnown.computeBudget:
        readBudget(instruction, read);
        break;
      case wellKnown.associatedToken:
        read.opens.push(readOpening(instruction, message.payer));
        break;
      case program:
        read.calls.push(readCall(instruction, program));
        break;
      case wellKnown.ed25519:
        break; // A signature over bytes moves nothing; the program reads it where it is asked to.
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

const readCall = ({ accounts, data }: MessageInstruction, program: Base58): LaunchpadCall => {
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
  return { ...decoded, accounts: byName, more: rest.map(({ address }) => address) };
};

const requireRole = (call: string, { name, isSigner }: InstructionAccount, given: MessageAccount): void => {
  if (isSigner && !given.isSigner) throw new Error(`In ${call}, ${name} does not sign.`);
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
