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

/** @param authority - Pays, and may upgrade the program from then on. */
export const deployProgram = async (
  client: Client,
  {
    authority,
    buffer,
    program,
    code,
  }: { authority: KeyPairSigner; buffer: KeyPairSigner; program: KeyPairSigner; code: Uint8Array },
): Promise<void> => {
  const rent = (bytes: number) => client.rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send();
  const bufferBytes = bufferHead + code.length;
  await client.send(
    authority,
    createAccount(authority, buffer, { lamports: await rent(bufferBytes), bytes: bufferBytes, owner: loader }),
    initializeBuffer(buffer.address, authority.address),
  );
  const pieces = Array.from({ length: Math.ceil(code.length / pieceBytes) }, (_, at) => at * pieceBytes);
  await client.sendAll(
    authority,
    pieces.map((offset) => [write(buffer.address, authority, offset, code.subarray(offset, offset + pieceBytes))]),
  );
  const programData = await programDataOf(program.address);
  await client.send(
    authority,
    createAccount(authority, program, { lamports: await rent(programBytes), bytes: programBytes, owner: loader }),
    deploy({ authority, programData, program: program.address, buffer: buffer.address, length: code.length }),
  );
};

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
