import { type Address, type Base58, fromBase58, toBase58 } from '../chains/address.ts';
import {
  addressSeeds,
  type Field,
  type FieldType,
  feeVaultCount,
  type InstructionName,
  instructions,
  type ProgramEventName,
  programAccounts,
  programEvents,
} from './launchpad.ts';

/** Bytes of the program's instructions, accounts and events, as `launchpad.ts` lays them out. */

interface Values {
  u8: number;
  u16: number;
  u64: bigint;
  i64: bigint;
  pubkey: Base58;
  bytes32: `0x${string}`;
  string: string;
  pubkey16: readonly Base58[];
}
/** What the fields of a list hold, by name. */
export type ValuesOf<Fields extends readonly Field[]> = {
  [F in Fields[number] as F['name']]: Values[F['type']];
};
export type ArgsOf<Name extends InstructionName> = ValuesOf<(typeof instructions)[Name]['args']>;
export type AccountOf<Name extends keyof typeof programAccounts> = ValuesOf<(typeof programAccounts)[Name]['fields']>;

/** One event of the program, `seq` being its number among those of the account that signed it. */
export type ProgramEvent = {
  [Name in ProgramEventName]: { event: Name; seq: bigint } & ValuesOf<(typeof programEvents)[Name]['fields']>;
}[ProgramEventName];

// ---------------------------------------------------------------- writing

/** @throws RangeError for a number that does not fit: cut off it would be another. */
const little = (value: bigint, bytes: number): Uint8Array => {
  const end = 1n << BigInt(8 * bytes);
  if (value >= end || value < -end / 2n) throw new RangeError(`${value} does not fit into ${bytes} bytes`);
  return Uint8Array.from({ length: bytes }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn));
};

/** An address's 32 bytes. @throws Error for one of another family. */
export const keyBytes = (address: Address): Uint8Array => {
  const bytes = fromBase58(address);
  if (bytes?.length !== 32) throw new Error(`${address} is no address of a Solana cluster.`);
  return bytes;
};
const hexBytes = (hex: `0x${string}`): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 - 1 }, (_, at) => Number.parseInt(hex.slice(2 + 2 * at, 4 + 2 * at), 16));

export const joinBytes = (...parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const writers: { [Type in FieldType]: (value: Values[Type]) => Uint8Array } = {
  u8: (value) => little(BigInt(value), 1),
  u16: (value) => little(BigInt(value), 2),
  u64: (value) => little(value, 8),
  i64: (value) => little(value, 8),
  pubkey: keyBytes,
  bytes32: hexBytes,
  string: (value) => {
    const text = new TextEncoder().encode(value);
    return joinBytes(little(BigInt(text.length), 4), text);
  },
  pubkey16: (value) => joinBytes(...value.map(keyBytes)),
};

/** The bytes of these fields, one after the other. */
export const encodeFields = <Fields extends readonly Field[]>(fields: Fields, values: ValuesOf<Fields>): Uint8Array =>
  joinBytes(
    ...fields.map(({ name, type }) => {
      const write = writers[type] as (value: unknown) => Uint8Array;
      return write((values as Record<string, unknown>)[name]);
    }),
  );

/** An instruction's data: its number and arguments. */
export const encodeInstruction = <Name extends InstructionName>(name: Name, args: ArgsOf<Name>): Uint8Array => {
  const { tag, args: fields } = instructions[name];
  return joinBytes(Uint8Array.of(tag), encodeFields(fields, args as never));
};

/** An account's data. */
export const encodeAccount = <Name extends keyof typeof programAccounts>(
  name: Name,
  values: AccountOf<Name>,
): Uint8Array => {
  const { kind, fields } = programAccounts[name];
  return joinBytes(new TextEncoder().encode(kind.padEnd(8, '\0')), encodeFields(fields as readonly Field[], values));
};

// ---------------------------------------------------------------- reading

/** The integer that these bytes are, the lowest first. */
export const littleEndian = (bytes: ArrayLike<number>): bigint =>
  Array.from(bytes).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);

/** Reads from the front. @throws RangeError behind the end. */
class Reader {
  readonly #bytes: Uint8Array;
  #at: number;
  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }
  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('The bytes end within a field.');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
  integer(bytes: number): bigint {
    return littleEndian(this.take(bytes));
  }
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}

const readers: { [Type in FieldType]: (reader: Reader) => Values[Type] } = {
  u8: (reader) => Number(reader.integer(1)),
  u16: (reader) => Number(reader.integer(2)),
  u64: (reader) => reader.integer(8),
  i64: (reader) => BigInt.asIntN(64, reader.integer(8)),
  pubkey: (reader) => toBase58(reader.take(32)),
  bytes32: (reader) => `0x${Array.from(reader.take(32), (byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  // The token program keeps no texts that are none.
  string: (reader) => new TextDecoder().decode(reader.take(Number(reader.integer(4)))),
  pubkey16: (reader) => Array.from({ length: feeVaultCount }, () => toBase58(reader.take(32))),
};

const readFields = <Fields extends readonly Field[]>(reader: Reader, fields: Fields): ValuesOf<Fields> => {
  const values = Object.fromEntries(fields.map(({ name, type }) => [name, readers[type](reader)]));
  if (!reader.isAtEnd) throw new RangeError('There are more bytes than fields.');
  return values as ValuesOf<Fields>;
};

/** An account's data. Null for data of another kind. */
export const decodeAccount = <Name extends keyof typeof programAccounts>(
  name: Name,
  data: Uint8Array,
): AccountOf<Name> | null => {
  const { kind, fields } = programAccounts[name];
  const words = new TextDecoder().decode(data.subarray(0, 8));
  return words === kind.padEnd(8, '\0')
    ? (readFields(new Reader(data, 8), fields as readonly Field[]) as AccountOf<Name>)
    : null;
};

/** The name of the instruction and its arguments. Null for data that the program would not read. */
export const decodeInstruction = (
  data: Uint8Array,
): { name: InstructionName; args: Record<string, unknown> } | null => {
  const found = Object.entries(instructions).find(([, { tag }]) => tag === data[0]);
  if (found === undefined) return null;
  const [name, { args }] = found;
  try {
    return { name: name as InstructionName, args: readFields(new Reader(data, 1), args) };
  } catch {
    return null;
  }
};

/**
 * The event that an inner instruction of the program is; null where it is none. Whoever reads has to know that the program ran it: its
 * only account signed.
 */
export const decodeEvent = (data: Uint8Array): ProgramEvent | null => {
  if (data[0] !== instructions.event.tag || data.length < 10) return null;
  const found = Object.entries(programEvents).find(([, { tag }]) => tag === data[1]);
  if (found === undefined) return null;
  const [event, { fields }] = found;
  const seq = new Reader(data, 2).integer(8);
  return { event, seq, ...readFields(new Reader(data, 10), fields) } as ProgramEvent;
};

// ---------------------------------------------------------------- addresses

type SeedNames<Name extends keyof typeof addressSeeds> =
  Extract<(typeof addressSeeds)[Name][number], `{${string}}`> extends infer Seed
    ? Seed extends `{${infer Inner}}`
      ? Inner
      : never
    : never;

/** The seeds of one of the program's addresses: keys of accounts in base58, other bytes as they are. */
export const seedsOf = <Name extends keyof typeof addressSeeds>(
  name: Name,
  values: Record<SeedNames<Name>, Base58 | Uint8Array>,
): Uint8Array[] =>
  addressSeeds[name].map((seed) => {
    const inner = /^\{(.+)\}$/.exec(seed)?.[1];
    if (inner === undefined) return new TextEncoder().encode(seed);
    const value = (values as Record<string, Base58 | Uint8Array>)[inner];
    if (value === undefined) throw new Error(`The address ${name} needs ${inner}.`);
    return typeof value === 'string' ? keyBytes(value) : value;
  });
