import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getBase58Decoder,
  getBase58Encoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionSizeLimit,
  type ReadonlyUint8Array,
  type Signature,
  type Transaction,
} from '@solana/kit';
import { refused } from '../wire/rpcError.ts';

export interface CompiledInstruction {
  program: number;
  accounts: readonly number[];
  data: ReadonlyUint8Array;
}

export interface Lookup {
  table: Address;
  writable: readonly number[];
  readonly: readonly number[];
}

/** One transaction with its message taken apart, of any version in one form. */
export interface ReadTransaction {
  wire: Uint8Array;
  transaction: Transaction;
  /** The first signature: its name. */
  signature: Signature;
  signatures: readonly Signature[];
  isFullySigned: boolean;
  message: Message;
}

export interface Message {
  version: 'legacy' | 0 | 1;
  signers: number;
  readonlySigners: number;
  readonlyOthers: number;
  /** Those that stand in the message; those of lookup tables follow them. */
  keys: readonly Address[];
  lookups: readonly Lookup[];
  blockhash: string;
  instructions: readonly CompiledInstruction[];
  /** What a message of version 1 offers in lamports besides the fee of its signatures. */
  priorityFee: bigint;
}

const base58 = getBase58Decoder();

/** @throws RpcError when the text is not a transaction of a size that a cluster takes. */
export const decodeTransaction = (text: string, encoding: string): ReadTransaction => {
  if (encoding !== 'base58' && encoding !== 'base64')
    throw refused.params(`unsupported encoding: ${encoding}. Supported encodings: base58, base64`);
  const wire = inEncoding(encoding, () =>
    Uint8Array.from((encoding === 'base58' ? getBase58Encoder() : getBase64Encoder()).encode(text)),
  );
  const read = inEncoding(encoding, () => readTransaction(wire));
  const most = getTransactionSizeLimit(read.transaction);
  if (wire.length > most)
    throw refused.params(`${encoding} encoded transaction too large: ${wire.length} bytes (max: ${most} bytes)`);
  return read;
};

const inEncoding = <Value>(encoding: string, read: () => Value): Value => {
  try {
    return read();
  } catch (error) {
    throw refused.params(`invalid ${encoding} encoding: ${(error as Error).message}`);
  }
};

export const readTransaction = (wire: Uint8Array): ReadTransaction => {
  const transaction = getTransactionDecoder().decode(wire);
  const signatures = Object.values(transaction.signatures).map(
    (one) => base58.decode(one ?? new Uint8Array(64)) as Signature,
  );
  const [signature] = signatures;
  if (signature === undefined) throw new Error('nobody signed');
  const isFullySigned = !Object.values(transaction.signatures).includes(null);
  return { wire, transaction, signature, signatures, isFullySigned, message: readMessage(transaction.messageBytes) };
};

export const readMessage = (bytes: ReadonlyUint8Array): Message => {
  const compiled = getCompiledTransactionMessageDecoder().decode(bytes);
  const { header } = compiled;
  return {
    version: compiled.version,
    signers: header.numSignerAccounts,
    readonlySigners: header.numReadonlySignerAccounts,
    readonlyOthers: header.numReadonlyNonSignerAccounts,
    keys: compiled.staticAccounts,
    lookups: lookupsOf(compiled),
    blockhash: (compiled as CompiledTransactionMessageWithLifetime).lifetimeToken,
    instructions: instructionsOf(compiled),
    priorityFee: priorityFeeOf(compiled),
  };
};

const lookupsOf = (compiled: CompiledTransactionMessage): Lookup[] =>
  compiled.version === 0
    ? (compiled.addressTableLookups ?? []).map(({ lookupTableAddress, writableIndexes, readonlyIndexes }) => ({
        table: lookupTableAddress,
        writable: writableIndexes,
        readonly: readonlyIndexes,
      }))
    : [];

const instructionsOf = (compiled: CompiledTransactionMessage): CompiledInstruction[] =>
  compiled.version === 1
    ? compiled.instructionHeaders.map(({ programAccountIndex }, at) => ({
        program: programAccountIndex,
        accounts: compiled.instructionPayloads[at]?.instructionAccountIndices ?? [],
        data: compiled.instructionPayloads[at]?.instructionData ?? new Uint8Array(),
      }))
    : compiled.instructions.map(({ programAddressIndex, accountIndices, data }) => ({
        program: programAddressIndex,
        accounts: accountIndices ?? [],
        data: data ?? new Uint8Array(),
      }));

const priorityFeeOf = (compiled: CompiledTransactionMessage): bigint => {
  const first = compiled.version === 1 ? compiled.configValues[0] : undefined;
  return first?.kind === 'u64' ? first.value : 0n;
};

export interface Keys {
  all: readonly Address[];
  loaded: { writable: readonly Address[]; readonly: readonly Address[] };
  /** Whether the lookup tables have everything that the message looks up in them. */
  isWhole: boolean;
  isWritable(index: number): boolean;
}

/** All accounts that a message names, in the order of its indexes. @param table - The data of a lookup table. */
export const keysOf = (message: Message, table: (at: Address) => ReadonlyUint8Array): Keys => {
  const { keys, signers, readonlySigners, readonlyOthers } = message;
  const look = (which: 'writable' | 'readonly'): (Address | null)[] =>
    message.lookups.flatMap((lookup) => lookup[which].map((index) => addressIn(table(lookup.table), index)));
  const looked = { writable: look('writable'), readonly: look('readonly') };
  const loaded = { writable: looked.writable.filter(isThere), readonly: looked.readonly.filter(isThere) };
  return {
    all: [...keys, ...loaded.writable, ...loaded.readonly],
    loaded,
    isWhole: ![...looked.writable, ...looked.readonly].includes(null),
    isWritable(index) {
      if (index >= keys.length) return index < keys.length + loaded.writable.length;
      return index < signers ? index < signers - readonlySigners : index < keys.length - readonlyOthers;
    },
  };
};

/** Bytes of a lookup table before its addresses. */
const tableHead = 56;
const addressIn = (table: ReadonlyUint8Array, index: number): Address | null => {
  const bytes = table.slice(tableHead + 32 * index, tableHead + 32 * (index + 1));
  return bytes.length === 32 ? (base58.decode(bytes) as Address) : null;
};
const isThere = (one: Address | null): one is Address => one !== null;
