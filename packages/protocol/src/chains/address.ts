import baseX from 'base-x';
import { hasWrongChecksum } from './checksum.ts';

/** Bitcoin's alphabet, which Solana has too. */
const base58 = /* @__PURE__ */ baseX('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');

/**
 * An address or a hash in the one form in which its family prints it, so that equal ones are equal text: lower-case hex with 0x
 * of the EVM, base58 of Solana, whose letters differ by case. Text of callers becomes one by `parseAddress` and in no other way.
 */
export type Address = `0x${string}` | Base58;
/** Of a block or transaction; of Solana a transaction's is its signature. As `Address`. */
export type Hash = `0x${string}` | Base58;

declare const base58Brand: unique symbol;
/** The brand keeps text that nobody has looked at from being taken for it. */
export type Base58 = string & { readonly [base58Brand]: true };

/** What differs between addresses of families. */
export interface AddressForm {
  /** The address that stands for nobody. */
  nobody: Address;
  /** Addresses from which nobody can spend, `nobody` among them: tokens are sent there to be rid of them. */
  graves: readonly Address[];
  /** As 32 bytes in hex. @throws Error for an address of another family. */
  toBytes32(address: Address): `0x${string}`;
  /** The part of a platform id that says which family it is. */
  blockchainType: number;
  /** The texts that `parseAs` may accept, for schemas; base58 of the wrong length matches too. */
  pattern: RegExp;
  /** What a text has to be, as a refusal says it. */
  rule: string;
  /** The same of a transaction's hash. */
  hashRule: string;
}

export const hexAddresses: AddressForm = {
  nobody: `0x${'0'.repeat(40)}`,
  graves: [`0x${'0'.repeat(40)}`, `0x${'0'.repeat(36)}dead`],
  toBytes32: (address) => `0x${requireHex(address).slice(2).padStart(64, '0')}`,
  blockchainType: 1,
  pattern: /^0x[a-fA-F0-9]{40}$/,
  rule: 'must be an address: 0x and 40 hex digits',
  hashRule: 'must be a transaction hash: 0x and 64 hex digits',
};

export const base58Addresses: AddressForm = {
  nobody: '1'.repeat(32) as Base58,
  graves: ['1'.repeat(32) as Base58, '1nc1nerator11111111111111111111111111111111' as Base58],
  toBytes32(address) {
    const bytes = bytesOf(address);
    if (bytes?.length !== 32) throw new Error(`${address} is no address in base58.`);
    return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  },
  blockchainType: 2,
  pattern: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  rule: 'must be an address: base58 of 32 bytes',
  hashRule: 'must be a transaction hash: base58 of 64 bytes',
};

/** Null for text that is no base58, or far too long for what is read here. */
const bytesOf = (text: string): Uint8Array | null => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{1,128}$/.test(text)) return null;
  return base58.decode(text);
};

/** Bytes as base58, the form of Solana's addresses and hashes. */
export const toBase58 = (bytes: Uint8Array): Base58 => base58.encode(bytes) as Base58;

/** The bytes that a text in base58 means, of any length; null when it is none. */
export const fromBase58 = (text: string): Uint8Array | null => base58.decodeUnsafe(text) ?? null;

/** @throws Error for an address of another family. */
export const requireBase58 = (address: Address): Base58 => {
  if (parseBase58Address(address) === null) throw new Error(`${address} is no address of a Solana cluster.`);
  return address as Base58;
};

/** @throws Error for an address of another family. */
export const requireHex = (address: Address | Hash): `0x${string}` => {
  if (isHex(address)) return address;
  throw new Error(`${address} is no address or hash of an EVM chain.`);
};

const isHex = (text: string): text is `0x${string}` => text.startsWith('0x');

/** The form in which an address or a hash is: no text is one of two families. */
export const formOf = (address: Address | Hash): AddressForm => (isHex(address) ? hexAddresses : base58Addresses);

/** Whether an address comes before another of its family by their bytes: the order of a pool's two currencies. */
export const isBefore = (one: Address, other: Address): boolean =>
  isHex(one) && isHex(other) ? one < other : formOf(one).toBytes32(one) < formOf(other).toBytes32(other);

/** Apart from the form, so that pages that read no addresses do not load the hash of the checksum. Null for a wrong one too. */
export const parseHexAddress = (text: string): `0x${string}` | null =>
  hexAddresses.pattern.test(text) && !hasWrongChecksum(text) ? (text.toLowerCase() as `0x${string}`) : null;

export const parseBase58Address = (text: string): Base58 | null =>
  bytesOf(text)?.length === 32 ? (text as Base58) : null;

/** The address of this form that a text means, in its one form; null when it is none. */
export const parseAs = (form: AddressForm, text: string): Address | null =>
  form === hexAddresses ? parseHexAddress(text) : parseBase58Address(text);

/** The address of any family that a text means, in its one form; null when it is none. */
export const parseAnyAddress = (text: string): Address | null => parseHexAddress(text) ?? parseBase58Address(text);

/** The hash of a transaction of any family that a text means, in its one form; null when it is none. */
export const parseAnyHash = (text: string): Hash | null => {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase() as Hash;
  return bytesOf(text)?.length === 64 ? (text as Base58) : null;
};

/** Whether an address stands for nobody, as its family says it. */
export const isNobody = (address: Address): boolean => formOf(address).nobody === address;
