import { type ChainType, chainTypeOn } from '@mintage/protocol';

export { type ChainType, chainTypeOn } from '@mintage/protocol';

/** What addresses and hashes look like on a chain. */
interface Form {
  type: ChainType;
  address: RegExp;
  /** Of a transaction. */
  hash: RegExp;
}

const evm: Form = { type: 'evm', address: /^0x[0-9a-fA-F]{40}$/, hash: /^0x[0-9a-fA-F]{64}$/ };
/** Base58 of 32 bytes; a transaction's hash is its signature, 64 bytes. */
const solana: Form = {
  type: 'solana',
  address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  hash: /^[1-9A-HJ-NP-Za-km-z]{64,88}$/,
};

/** Null for a slug that is none. */
const formOn = (slug: string): Form | null => {
  const type = chainTypeOn(slug);
  return type && { evm, solana }[type];
};

/** Whether a text can be the hash of a transaction of this chain. */
export const isHashOn = (slug: string, text: string): boolean => formOn(slug)?.hash.test(text) === true;

/** Whether a text can be an address of this chain. */
export const isAddressOn = (slug: string, text: string): boolean => formOn(slug)?.address.test(text) === true;

/** Whether a text can be an address of any chain. */
export const isAddress = (text: string): boolean => [evm, solana].some(({ address }) => address.test(text));

export const isSolana = (slug: string): boolean => formOn(slug) === solana;

/** Of chains on which an address may be. */
export const chainTypeOf = (address: string): ChainType => (address.startsWith('0x') ? evm : solana).type;

/**
 * An address in the one form in which equal ones are equal text: hex in lower case, and base58 as it is, because there letters of
 * another case are another address.
 */
export const keyOf = (address: string): string => (chainTypeOf(address) === 'evm' ? address.toLowerCase() : address);

/** Whether two texts mean the same address; none is the same as nobody's. */
export const sameAddress = (one: string | null | undefined, other: string | null | undefined): boolean =>
  one != null && other != null && keyOf(one) === keyOf(other);

/** Where a token is on the chains of its home; null: it is on none yet. */
export const mainAddress = (about: {
  primary_evm_address: string | null;
  primary_solana_address: string | null;
}): string | null => about.primary_evm_address ?? about.primary_solana_address;

/** The wallet that the service keeps for somebody on this chain; undefined: it is not made yet. */
export const embeddedOn = <Wallet extends { embedded: boolean; chainType: ChainType }>(
  wallets: readonly Wallet[],
  slug: string,
): Wallet | undefined => wallets.find(({ embedded, chainType }) => embedded && chainType === chainTypeOn(slug));
