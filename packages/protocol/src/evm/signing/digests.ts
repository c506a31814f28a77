import jsSha3 from 'js-sha3';
import { concat, type Hex, hashDomain, keccak256, numberToHex, padHex, stringToBytes } from 'viem';
import {
  createTokenTypedData,
  type infoAuthTypedData,
  type registerTypedData,
  type SignedCreation,
  type SigningContext,
} from './actions.ts';

/** What a service compares signatures with. Clients leave the hashing to their wallet. */

type TypedData =
  | ReturnType<typeof registerTypedData | typeof infoAuthTypedData>
  | ReturnType<typeof createTokenTypedData>[number];

/** What the wallet's signature is over (EIP-712). */
export const digestOf = (data: TypedData): Hex => digestBy(quickHash, data);

/** The digest of each form of a creation, most usual first. Each of its texts is hashed once. */
export const creationDigests = (context: SigningContext, source: string, action: SignedCreation): Hex[] => {
  const known = new Map<string, Hex>();
  const hashOf = (text: string): Hex => {
    const hash = known.get(text) ?? quickHash(text);
    known.set(text, hash);
    return hash;
  };
  return createTokenTypedData(context, source, action).map((data) => digestBy(hashOf, data));
};

const digestBy = (hashOf: (text: string) => Hex, { domain, types, primaryType, message }: TypedData): Hex => {
  const fields = (types as Readonly<Record<string, readonly Field[]>>)[primaryType] as readonly Field[];
  const values = message as Readonly<Record<string, string | bigint>>;
  const typeHash = quickHash(`${primaryType}(${fields.map(({ type, name }) => `${type} ${name}`).join(',')})`);
  const words = fields.map(({ type, name }) => wordOf(type, values[name] as string | bigint, hashOf));
  const separator = hashDomain({ domain, types: domainTypes });
  return keccak256(concat(['0x1901', separator, keccak256(concat([typeHash, ...words]))]));
};

interface Field {
  name: string;
  type: 'string' | 'address' | 'bytes32' | 'uint64' | 'uint256';
}

const domainTypes = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
} as const;

/** A field's 32 bytes. */
const wordOf = (type: Field['type'], value: string | bigint, hashOf: (text: string) => Hex): Hex => {
  if (typeof value === 'bigint') return numberToHex(value, { size: 32 });
  return type === 'string' ? hashOf(value) : padHex(value as Hex, { size: 32 });
};

/** By the quickest there is in JavaScript: pictures are texts of megabytes, and viem's takes four times as long. */
const quickHash = (text: string): Hex => `0x${jsSha3.keccak256(stringToBytes(text))}`;
