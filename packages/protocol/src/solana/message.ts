import { type Base58, toBase58 } from '../chains/address.ts';

/**
 * What a transaction's bytes say, read by nothing that wrote them (threat W8). Versioned messages (v0) without lookup tables, which is all
 * that we prepare, and the older ones, which is what some wallets make of them.
 */

export interface MessageAccount {
  address: Base58;
  isSigner: boolean;
  isWritable: boolean;
}

export interface MessageInstruction {
  program: Base58;
  accounts: readonly MessageAccount[];
  data: Uint8Array;
}

export interface Message {
  /** Who pays the fee: the first signer. */
  payer: Base58;
  signers: readonly Base58[];
  /** Ends with it: no block takes the transaction when the hash is too old. */
  blockhash: Base58;
  instructions: readonly MessageInstruction[];
}

/** A transaction is at most so long, signatures included: what one packet carries. */
export const mostTransactionBytes = 1_232;

/** Micro-lamports for a unit: what a prepared transaction offers at most, a ten-thousandth of a SOL for our longest ones. */
export const mostPriorityFee = 500_000n;

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }
  take(length: number): Uint8Array {
    const taken = this.#bytes.subarray(this.#at, this.#at + length);
    if (taken.length !== length) throw new Error('The transaction ends too early.');
    this.#at += length;
    return taken;
  }
  byte(): number {
    return this.take(1)[0] as number;
  }
  key(): Base58 {
    return toBase58(this.take(32));
  }
  /** Seven bits a byte, the lowest first, at most 16 bits; one form for each number. */
  count(): number {
    let value = 0;
    for (let at = 0; at < 3; at += 1) {
      const byte = this.byte();
      value |= (byte & 0x7f) << (7 * at);
      if (byte < 0x80) {
        if (at > 0 && byte === 0) break;
        if (value > 0xffff) break;
        return value;
      }
    }
    throw new Error('A count of the transaction is no count.');
  }
  many<T>(read: () => T): T[] {
    return Array.from({ length: this.count() }, read);
  }
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}

const versioned = 0x80;

/** @throws Error, one sentence, for bytes that are no such transaction, or that hold more than one. */
export const readTransaction = (bytes: Uint8Array): { signatures: Uint8Array[]; message: Message } => {
  const reader = new Reader(bytes);
  const signatures = reader.many(() => reader.take(64));
  const message = readMessageFrom(reader);
  if (signatures.length !== message.signers.length)
    throw new Error('The transaction has another number of signatures than of signers.');
  return { signatures, message };
};

/** As `readTransaction`, of a message alone. */
export const readMessage = (bytes: Uint8Array): Message => readMessageFrom(new Reader(bytes));

const readMessageFrom = (reader: Reader): Message => {
  const first = reader.byte();
  const isVersioned = first >= versioned;
  if (isVersioned && first !== versioned) throw new Error('The transaction is of a version that is not read here.');
  const signerCount = isVersioned ? reader.byte() : first;
  const [readonlySigners, readonlyOthers] = [reader.byte(), reader.byte()];
  const keys = reader.many(() => reader.key());
  if (signerCount === 0 || readonlySigners >= signerCount || signerCount + readonlyOthers > keys.length)
    throw new Error('The counts of the transaction’s accounts do not fit.');
  if (new Set(keys).size !== keys.length) throw new Error('The transaction names an account twice.');
  const account = (index: number): MessageAccount => {
    const address = keys[index];
    if (address === undefined) throw new Error('The transaction names an account that it does not have.');
    const isSigner = index < signerCount;
    const isWritable = isSigner ? index < signerCount - readonlySigners : index < keys.length - readonlyOthers;
    return { address, isSigner, isWritable };
  };
  const blockhash = reader.key();
  const instructions = reader.many((): MessageInstruction => {
    const { address: program } = account(reader.byte());
    const accounts = reader.many(() => account(reader.byte()));
    return { program, accounts, data: reader.take(reader.count()) };
  });
  if (isVersioned && reader.count() > 0) throw new Error('The transaction takes accounts from a lookup table.');
  if (!reader.isAtEnd) throw new Error('The transaction goes on after its end.');
  return { payer: keys[0] as Base58, signers: keys.slice(0, signerCount), blockhash, instructions };
};
