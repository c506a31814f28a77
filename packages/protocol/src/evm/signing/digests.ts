import jsSha3 from 'js-sha3';
import { type Hex, hexToBytes, padHex, stringToBytes } from 'viem';
import {
  createTokenTypedData,
  type infoAuthTypedData,
  type registerTypedData,
  type SignedCreation,
  type SigningContext,
} from './actions.ts';
import { canonicalText } from './infoBody.ts';

/** What a service compares signatures with. Clients leave the hashing to their wallet. */

type TypedData =
  | ReturnType<typeof registerTypedData | typeof infoAuthTypedData>
  | ReturnType<typeof createTokenTypedData>[number];

/** What the wallet's signature is over (EIP-712). The texts of a read and a registration are our own words, which are few. */
export const digestOf = (data: TypedData): Hex => digestBy(ownWords, data);

/** The digest of each form of a creation, most usual first. Each of its texts is hashed once. */
export const creationDigests = (context: SigningContext, source: string, action: SignedCreation): Hex[] => {
  const hashOf = hashingOnce();
  return createTokenTypedData(context, source, action).map((data) => digestBy(hashOf, data));
};

/**
 * Every hash that the reference client may have signed for this body, most usual first: a key that its caller left
 * undefined is signed as null but not sent. Each is made when it is asked for: there may be 32, and the first is nearly
 * always the one.
 *
 * @param body - As it arrived, with its `type`.
 * @param optionalKeys - Keys that the type allows to be absent.
 */
export function* infoBodyHashes(
  body: Readonly<Record<string, unknown>>,
  optionalKeys: readonly string[],
): Generator<Hex, void> {
  const absent = optionalKeys.filter((key) => !(key in body));
  for (let subset = 0; subset < 2 ** absent.length; subset += 1) {
    const added = absent.filter((_key, i) => (subset & (1 << i)) !== 0);
    const signed = { ...body, ...Object.fromEntries(added.map((key) => [key, null])) };
    yield quickKeccak(stringToBytes(canonicalText(signed)));
  }
}

/** By the quickest there is in JavaScript: pictures are texts of megabytes, and viem's takes four times as long. */
export const quickKeccak = (bytes: Uint8Array): Hex => `0x${jsSha3.keccak256(bytes)}`;

/** 32 bytes. */
type Word = ArrayLike<number>;
type HashOf = (text: string) => Word;

const hashWord = (bytes: Uint8Array): Word => jsSha3.keccak256.array(bytes);

/** Remembers the hashes of its first texts. */
const hashingOnce = (most = 256): HashOf => {
  const known = new Map<string, Word>();
  return (text) => {
    const hash = known.get(text) ?? hashWord(stringToBytes(text));
    if (known.size < most) known.set(text, hash);
    return hash;
  };
};
const ownWords = hashingOnce();

const digestBy = (hashOf: HashOf, { domain, types, primaryType, message }: TypedData): Hex => {
  const fields = (types as Readonly<Record<string, readonly Field[]>>)[primaryType] as readonly Field[];
  const values = message as Readonly<Record<string, string | bigint>>;
  const struct = [
    ownWords(typeText(primaryType, fields)),
    ...fields.map(({ type, name }) => wordOf(type, values[name] as string | bigint, hashOf)),
  ];
  const separator = [
    ownWords(domainType),
    ownWords(domain.name),
    ownWords(domain.version),
    integerWord(domain.chainId),
    addressWord(domain.verifyingContract),
  ];
  return quickKeccak(joined([[0x19, 0x01], hashWord(joined(separator)), hashWord(joined(struct))]));
};

interface Field {
  name: string;
  type: 'string' | 'address' | 'bytes32' | 'uint64' | 'uint256';
}

const typeText = (name: string, fields: readonly Field[]): string =>
  `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`;
const domainType = typeText('EIP712Domain', [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]);

const wordOf = (type: Field['type'], value: string | bigint, hashOf: HashOf): Word => {
  if (typeof value === 'bigint') return integerWord(value);
  if (type === 'string') return hashOf(value);
  return type === 'address' ? addressWord(value as Hex) : hexToBytes(value as Hex);
};

const addressWord = (address: Hex): Word => hexToBytes(padHex(address, { size: 32 }));

const integerWord = (value: bigint): Word => {
  if (value < 0n || value >> 256n > 0n) throw new RangeError(`${value} is no integer of 256 bits`);
  const word = new DataView(new ArrayBuffer(32));
  for (let rest = value, at = 24; rest > 0n; rest >>= 64n, at -= 8) word.setBigUint64(at, BigInt.asUintN(64, rest));
  return new Uint8Array(word.buffer);
};

/** One after another. */
const joined = (parts: readonly ArrayLike<number>[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};
