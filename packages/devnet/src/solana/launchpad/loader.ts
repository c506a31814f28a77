import { wellKnown } from '@mintage/protocol/solana';
import {
  AccountRole,
  type Address,
  address,
  getAddressEncoder,
  getProgramDerivedAddress,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import type { Client } from './client.ts';
import { createAccount, reads, signs, writes } from './system.ts';

/** Deploys a program as everybody does: into a buffer piece by piece, then in one go to its address. */

const loader = address(wellKnown.upgradeableLoader);
const rentSysvar = address('SysvarRent111111111111111111111111111111111');
const clockSysvar = address('SysvarC1ock11111111111111111111111111111111');

/** Bytes that the loader puts in front of the code, and those of the program's own account, which only points to it. */
const bufferHead = 37;
const programBytes = 36;
/** What a transaction of one signature can carry besides the rest. */
const pieceBytes = 1_000;

export const programDataOf = async (program: Address): Promise<Address> => {
  const seeds = [getAddressEncoder().encode(program)];
  const [at] = await getProgramDerivedAddress({ programAddress: loader, seeds });
  return at;
};

export interface ProgramPlan {
  /** Pays, and may upgrade the program from then on. */
  authority: KeyPairSigner;
  buffer: KeyPairSigner;
  program: KeyPairSigner;
  code: Uint8Array;
}

/** Goes on where an earlier try stopped: pieces that are in the buffer are not sent again, and a program that is there stays. */
export const deployProgram = async (client: Client, plan: ProgramPlan): Promise<void> => {
  const { authority, buffer, program, code } = plan;
  if (await client.exists(program.address)) return;
  const rent = (bytes: number) => client.rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send();
  const bufferBytes = bufferHead + code.length;
  if (!(await client.exists(buffer.address)))
    await client.send(
      authority,
      createAccount(authority, buffer, { lamports: await rent(bufferBytes), bytes: bufferBytes, owner: loader }),
      initializeBuffer(buffer.address, authority.address),
    );
  for (let round = 0; ; round += 1) {
    const missing = await missingPieces(client, plan);
    if (missing.length === 0) break;
    if (round === mostRounds) throw new Error(`${missing.length} pieces of the program did not land; try again.`);
    await client.sendAll(
      authority,
      missing.map((offset) => [write(buffer.address, authority, offset, code.subarray(offset, offset + pieceBytes))]),
    );
  }
  const programData = await programDataOf(program.address);
  await client.send(
    authority,
    createAccount(authority, program, { lamports: await rent(programBytes), bytes: programBytes, owner: loader }),
    deploy({ authority, programData, program: program.address, buffer: buffer.address, length: code.length }),
  );
};

const mostRounds = 5;

/** Offsets of the pieces that the buffer does not have. */
const missingPieces = async (client: Client, { buffer, code }: ProgramPlan): Promise<number[]> => {
  const there = (await client.dataOf(buffer.address))?.subarray(bufferHead) ?? new Uint8Array();
  const offsets = Array.from({ length: Math.ceil(code.length / pieceBytes) }, (_, at) => at * pieceBytes);
  const pieceOf = (bytes: Uint8Array, offset: number) => bytes.subarray(offset, offset + pieceBytes);
  return offsets.filter((offset) => Buffer.compare(pieceOf(there, offset), pieceOf(code, offset)) !== 0);
};

/** What the chain has of a program. */
export interface LoadedProgram {
  /** Who may replace it; null: nobody, for good. */
  authority: Uint8Array | null;
  code: Uint8Array;
}

/** Null where there is no upgradeable program. */
export const loadedProgram = async (client: Client, program: Address): Promise<LoadedProgram | null> => {
  const data = await client.dataOf(await programDataOf(program));
  if (data === null || data[0] !== programDataKind) return null;
  return { authority: data[12] === 1 ? data.subarray(13, 45) : null, code: data.subarray(programDataHead) };
};
const programDataKind = 3;
/** Kind, slot, and an authority that is there or not. */
const programDataHead = 45;

/** Nobody can upgrade the program any more. */
export const giveUpAuthority = async (client: Client, authority: KeyPairSigner, program: Address): Promise<void> =>
  client.send(authority, {
    programAddress: loader,
    accounts: [writes(await programDataOf(program)), signs(authority)],
    data: numbers(4),
  });

const initializeBuffer = (buffer: Address, authority: Address): Instruction => ({
  programAddress: loader,
  accounts: [writes(buffer), { address: authority, role: AccountRole.READONLY }],
  data: numbers(0),
});

const write = (buffer: Address, authority: KeyPairSigner, offset: number, bytes: Uint8Array): Instruction => {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return {
    programAddress: loader,
    accounts: [writes(buffer), signs(authority)],
    data: Buffer.concat([numbers(1, offset), length, bytes]),
  };
};

const deploy = (places: {
  authority: KeyPairSigner;
  programData: Address;
  program: Address;
  buffer: Address;
  length: number;
}): Instruction => {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(places.length));
  const { authority, programData, program, buffer } = places;
  return {
    programAddress: loader,
    accounts: [
      { ...signs(authority), role: AccountRole.WRITABLE_SIGNER },
      writes(programData),
      writes(program),
      writes(buffer),
      reads(rentSysvar),
      reads(clockSysvar),
      reads(address(wellKnown.system)),
      signs(authority),
    ],
    data: Buffer.concat([numbers(2), length]),
  };
};

const numbers = (...list: readonly number[]): Buffer => {
  const data = Buffer.alloc(4 * list.length);
  for (const [at, number] of list.entries()) data.writeUInt32LE(number, 4 * at);
  return data;
};
