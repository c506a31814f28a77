import { randomBytes, randomInt } from 'node:crypto';
import { type Base58, toBase58 } from '@mintage/protocol';
import { type MessageInstruction, readMessage, readTransaction } from '@mintage/protocol/solana';
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  type Instruction,
  isSignerRole,
  isWritableRole,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { compileMessage, messageAgain, signedTransaction, unsignedTransaction } from './compile.ts';

const key = (): Base58 => toBase58(randomBytes(32));

const randomMessage = () => {
  const keys = Array.from({ length: 2 + randomInt(40) }, key) as [Base58, ...Base58[]];
  const [payer] = keys;
  const pick = (): Base58 => keys[randomInt(keys.length)] as Base58;
  const instructions = Array.from({ length: randomInt(5) }, (): MessageInstruction => {
    const accounts = Array.from({ length: randomInt(8) }, pick).map((one) => ({
      address: one,
      isSigner: one === payer,
      isWritable: one === payer || randomInt(2) === 1,
    }));
    return { program: key(), accounts, data: new Uint8Array(randomBytes(randomInt(300))) };
  });
  return { payer, instructions, blockhash: key() };
};

/** The roles that an account has in any instruction it has in all. */
const merged = (payer: Base58, instructions: readonly MessageInstruction[]): MessageInstruction[] => {
  const written = new Set(
    instructions.flatMap(({ accounts }) => accounts.filter(({ isWritable }) => isWritable).map((one) => one.address)),
  );
  return instructions.map(({ program, accounts, data }) => ({
    program,
    data,
    accounts: accounts.map((one) => ({
      address: one.address,
      isSigner: one.address === payer,
      isWritable: written.has(one.address) || one.address === payer,
    })),
  }));
};

describe('compileMessage', () => {
  it('default: what the protocol and the client library read is what was meant', () => {
    for (let at = 0; at < 200; at += 1) {
      const { payer, instructions, blockhash } = randomMessage();
      const bytes = compileMessage(payer, instructions, blockhash);
      const meant = merged(payer, instructions);
      const read = readMessage(bytes);
      expect({
        ...read,
        instructions: read.instructions.map((one) => ({ ...one, data: Uint8Array.from(one.data) })),
      }).toEqual({ payer, signers: [payer], blockhash, instructions: meant });
      const theirs = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(bytes));
      const list: readonly Instruction[] = theirs.instructions;
      expect(theirs.feePayer.address).toBe(payer);
      expect(
        list.map(({ programAddress, accounts = [], data = new Uint8Array() }) => ({
          program: programAddress,
          accounts: accounts.map((one) => ({
            address: one.address,
            isSigner: isSignerRole(one.role),
            isWritable: isWritableRole(one.role),
          })),
          data: Uint8Array.from(data),
        })),
      ).toEqual(meant);
    }
  });

  it('behavior: as short as the client library makes it', () => {
    for (let at = 0; at < 50; at += 1) {
      const { payer, instructions, blockhash } = randomMessage();
      const theirs = compileTransaction(
        pipe(
          createTransactionMessage({ version: 0 }),
          (one) => setTransactionMessageFeePayer(address(payer), one),
          (one) =>
            setTransactionMessageLifetimeUsingBlockhash(
              { blockhash: blockhash as string as Blockhash, lastValidBlockHeight: 1n },
              one,
            ),
          (one) =>
            appendTransactionMessageInstructions(
              instructions.map(({ program, accounts, data }) => ({
                programAddress: address(program),
                accounts: accounts.map((one_) => ({
                  address: address(one_.address),
                  role: one_.isSigner
                    ? AccountRole.WRITABLE_SIGNER
                    : one_.isWritable
                      ? AccountRole.WRITABLE
                      : AccountRole.READONLY,
                })),
                data,
              })),
              one,
            ),
        ),
      );
      expect(compileMessage(payer, instructions, blockhash)).toHaveLength(theirs.messageBytes.length);
    }
  });
});

it('messageAgain: the same with another blockhash, of a transaction with any signature', () => {
  const { payer, instructions, blockhash } = randomMessage();
  const message = compileMessage(payer, instructions, blockhash);
  const later = key();
  const signed = signedTransaction(message, randomBytes(64));
  expect(messageAgain(signed, later)).toEqual(compileMessage(payer, merged(payer, instructions), later));
  expect(readTransaction(unsignedTransaction(message)).signatures).toEqual([new Uint8Array(64)]);
  expect(() => messageAgain(signed.subarray(1), later)).toThrow();
});
