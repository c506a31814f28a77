import { createHash, randomBytes } from 'node:crypto';
import { decrypt, encrypt, joined, split } from './aesGcm.ts';
import { BrokenSealError, KekMissingError, type KeyEncryption, textOf } from './keyEncryption.ts';
import { makeKeyFile } from './makeKeyFile.ts';
import { readKeyFile } from './readKeyFile.ts';

/**
 * The KEK in a file: 32 random bytes in base64 or hex.
 *
 * @throws Error, one sentence, when it cannot be read, holds something else, or others on this machine may read it. It never
 * says what the file holds.
 */
export const fileKek = (path: string): KeyEncryption => memoryKek(keyIn(path));

/** @param key - 32 bytes, kept as they are. */
export const memoryKek = (key: Uint8Array): KeyEncryption => {
  if (key.length !== 32) throw new RangeError('A key-encryption key has 32 bytes.');
  const digest = createHash('sha256').update('mintage key-encryption key').update(key).digest('hex');
  const id = `kek-${digest.slice(0, 12)}`;
  return {
    id,
    ids: [id],
    async wrap(dataKey, context) {
      return joined(encrypt(key, dataKey, textOf(context)));
    },
    async unwrap(kek, wrapped, context) {
      if (kek !== id) throw new KekMissingError(kek, [id]);
      try {
        return decrypt(key, split(wrapped), textOf(context));
      } catch {
        throw new BrokenSealError(id);
      }
    },
  };
};

/** Creates the file with a new key (`makeKeyFile`). */
export const makeKekFile = (path: string): void => makeKeyFile(path, () => `${randomBytes(32).toString('base64')}\n`);

const keyIn = (path: string): Buffer => {
  const text = readKeyFile(path, `the key-encryption key ${path}`);
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  if (/^[A-Za-z0-9+/]{43}=$/.test(text)) return Buffer.from(text, 'base64');
  throw new Error(
    `The file ${path} must hold a key-encryption key: 32 random bytes in base64 or hex. ` +
      `A new one: (umask 077; openssl rand -base64 32 > ${path})`,
  );
};
