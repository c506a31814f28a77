import { chainIds } from '@mintage/protocol';

/** What addresses and hashes look like on a chain. */
interface Form {
  address: RegExp;
  /** Of a transaction. */
  hash: RegExp;
}

const evm: Form = { address: /^0x[0-9a-fA-F]{40}$/, hash: /^0x[0-9a-fA-F]{64}$/ };
/** Base58 of 32 bytes; a transaction's hash is its signature, 64 bytes. */
const solana: Form = { address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/, hash: /^[1-9A-HJ-NP-Za-km-z]{64,88}$/ };

/** Null for a slug that is none. */
const formOn = (slug: string): Form | null => {
  const chain = Object.hasOwn(chainIds, slug) ? chainIds[slug as keyof typeof chainIds] : null;
  return chain && (chain.family === 'solana' ? solana : evm);
};

/** Whether a text can be the hash of a transaction of this chain. */
export const isHashOn = (slug: string, text: string): boolean => formOn(slug)?.hash.test(text) === true;

/** Whether a text can be an address of this chain. */
export const isAddressOn = (slug: string, text: string): boolean => formOn(slug)?.address.test(text) === true;

export const isSolana = (slug: string): boolean => formOn(slug) === solana;
