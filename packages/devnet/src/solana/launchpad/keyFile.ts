import { readFileSync } from 'node:fs';
import { type Address, address, createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';

/** A key pair as `solana-keygen` writes it: a JSON list of 64 bytes. @throws Error for a file that is none. */
export const signerIn = async (file: string): Promise<KeyPairSigner> => {
  const bytes: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(bytes) || bytes.length !== 64) throw new Error(`${file} is no key pair: a list of 64 bytes.`);
  return createKeyPairSignerFromBytes(Uint8Array.from(bytes as number[]));
};

/** @throws Error for text that is no address. */
export const addressIn = (text: string): Address => address(text);
