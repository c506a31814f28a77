import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export interface Encrypted {
  /** 12 bytes. */
  nonce: Buffer;
  ciphertext: Buffer;
  /** 16 bytes. */
  tag: Buffer;
}

/** @param key - 32 bytes, under which at most 2^32 texts may be encrypted: nonces are random. */
export const encrypt = (key: Uint8Array, plain: Uint8Array, additional: string): Encrypted => {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(additional));
  const ciphertext = Buffer.concat([encryption.update(plain), encryption.final()]);
  return { nonce, ciphertext, tag: encryption.getAuthTag() };
};

/** @throws When anything differs from what was encrypted, or its parts have another length. */
export const decrypt = (key: Uint8Array, { nonce, ciphertext, tag }: Encrypted, additional: string): Buffer => {
  if (nonce.length !== nonceBytes) throw new RangeError('The nonce has another length.');
  const decryption = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(additional));
  decryption.setAuthTag(tag);
  const plain = decryption.update(ciphertext);
  overwriteFreed(ciphertext.length);
  try {
    decryption.final();
    return plain;
  } catch (error) {
    plain.fill(0); // the decrypted bytes failed authentication: wipe them
    throw error;
  }
};

/**
 * Node returns a copy of a cipher's output and frees the original without wiping it. Encrypting meaningless text of the
 * same length overwrites that memory.
 */
const overwriteFreed = (length: number): void => {
  createDecipheriv(cipher, Buffer.alloc(32), Buffer.alloc(nonceBytes), { authTagLength: tagBytes }).update(
    Buffer.alloc(length),
  );
};

/** Concatenates nonce, tag and ciphertext. */
export const joined = ({ nonce, tag, ciphertext }: Encrypted): Buffer => Buffer.concat([nonce, tag, ciphertext]);

export const split = (bytes: Uint8Array): Encrypted => {
  const all = Buffer.from(bytes);
  const tagEnd = nonceBytes + tagBytes;
  return {
    nonce: all.subarray(0, nonceBytes),
    tag: all.subarray(nonceBytes, tagEnd),
    ciphertext: all.subarray(tagEnd),
  };
};
