import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type Base58, toBase58 } from '@mintage/protocol';

/** PKCS #8 of an ed25519 key, up to its 32 bytes. */
const keyForm = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param seed - The private key's 32 bytes. */
export const ed25519Key = (seed: Uint8Array): { key: KeyObject; address: Base58 } => {
  const form = Buffer.concat([keyForm, seed]);
  try {
    const key = createPrivateKey({ key: form, format: 'der', type: 'pkcs8' });
    const published = createPublicKey(key).export({ format: 'der', type: 'spki' });
    return { key, address: toBase58(new Uint8Array(published.subarray(-32))) };
  } finally {
    form.fill(0);
  }
};
