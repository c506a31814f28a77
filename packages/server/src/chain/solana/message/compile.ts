import type { Base58 } from '@mintage/protocol';
import { joinBytes, keyBytes, type MessageInstruction, readTransaction } from '@mintage/protocol/solana';

/** Writes transactions of version 0 without lookup tables. Read by `readTransaction` of the protocol, which shares nothing with it. */

/**
 * The bytes that the payer signs. Accounts stand once, those that sign or are written first, as the runtime reads them.
 *
 * @param payer - The only signer.
 * @param blockhash - The cluster takes the transaction while it knows this hash.
 */
export const compileMessage = (
  payer: Base58,
  instructions: readonly MessageInstruction[],
  blockhash: Base58,
): Uint8Array => {
  const roles = new Map<Base58, { isSigner: boolean; isWritable: boolean }>([
    [payer, { isSigner: true, isWritable: true }],
  ]);
  const meet = (address: Base58, isSigner: boolean, isWritable: boolean): void => {
    const known = roles.get(address);
    roles.set(address, {
      isSigner: isSigner || known?.isSigner === true,
      isWritable: isWritable || known?.isWritable === true,
    });
  };
  for (const { program, accounts } of instructions) {
    for (const { address, isSigner, isWritable } of accounts) meet(address, isSigner, isWritable);
    meet(program, false, false);
  }
  const group = (signs: boolean, writes: boolean): Base58[] =>
    [...roles].filter(([, one]) => one.isSigner === signs && one.isWritable === writes).map(([address]) => address);
  const [payers, readers] = [group(true, true), group(true, false)];
  const [written, read] = [group(false, true), group(false, false)];
  const keys = [...payers, ...readers, ...written, ...read];
  const place = new Map(keys.map((key, at) => [key, at]));
  const placeOf = (key: Base58): number => place.get(key) as number;
  return joinBytes(
    Uint8Array.of(version0, payers.length + readers.length, readers.length, read.length),
    counted(keys.map(keyBytes)),
    keyBytes(blockhash),
    counted(
      instructions.map(({ program, accounts, data }) =>
        joinBytes(
          Uint8Array.of(placeOf(program)),
          counted(accounts.map(({ address }) => Uint8Array.of(placeOf(address)))),
          count(data.length),
          data,
        ),
      ),
    ),
    count(0),
  );
};
const version0 = 0x80;

/** The transaction of a message of one signer that nobody has signed: zeros stand where the signature goes. */
export const unsignedTransaction = (message: Uint8Array): Uint8Array => signedTransaction(message, new Uint8Array(64));

/** @param signature - 64 bytes, by the message's only signer. */
export const signedTransaction = (message: Uint8Array, signature: Uint8Array): Uint8Array =>
  joinBytes(count(1), signature, message);

/**
 * The message of a prepared transaction with a newer blockhash, for who signs it later than it was prepared.
 *
 * @throws Error, one sentence, for bytes that are no transaction of one signer.
 */
export const messageAgain = (transaction: Uint8Array, blockhash: Base58): Uint8Array => {
  const { message } = readTransaction(transaction);
  if (message.signers.length !== 1) throw new Error('The transaction wants more than one signature.');
  return compileMessage(message.payer, message.instructions, blockhash);
};

/** Seven bits a byte, the lowest first. */
const count = (value: number): Uint8Array => {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    if (rest < 0x80) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
};

const counted = (parts: readonly Uint8Array[]): Uint8Array => joinBytes(count(parts.length), ...parts);
