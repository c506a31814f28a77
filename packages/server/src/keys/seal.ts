import { randomBytes } from 'node:crypto';
import { decrypt, encrypt } from './aesGcm.ts';
import { BrokenSealError, type KeyEncryption, type SealContext, type Sealed, textOf } from './keyEncryption.ts';

/**
 * Seals a secret under a fresh data key that the first KEK wraps. The caller wipes the secret itself.
 *
 * @param context - Purpose and row of the secret. Not secret, but needed to open it.
 * @throws KekUnavailableError
 */
export const seal = async (keys: KeyEncryption, secret: Uint8Array, context: SealContext): Promise<Sealed> => {
  const dataKey = randomBytes(32);
  try {
    const wrapped = await keys.wrap(dataKey, context);
    const { nonce, ciphertext, tag } = encrypt(dataKey, secret, textOf(context));
    return {
      kek: keys.id,
      wrappedKey: Buffer.from(wrapped).toString('base64'),
      nonce: nonce.toString('base64'),
      ciphertext: ciphertext.toString('base64'),
      tag: tag.toString('base64'),
    };
  } finally {
    dataKey.fill(0);
  }
};

/**
 * Opens a secret. The caller wipes it (`fill(0)`) when it is no longer needed.
 *
 * @throws KekMissingError, KekUnavailableError, BrokenSealError
 */
export const open = async (keys: KeyEncryption, sealed: Sealed, context: SealContext): Promise<Uint8Array> => {
  const dataKey = await keys.unwrap(sealed.kek, Buffer.from(sealed.wrappedKey, 'base64'), context);
  try {
    const parts = {
      nonce: Buffer.from(sealed.nonce, 'base64'),
      ciphertext: Buffer.from(sealed.ciphertext, 'base64'),
      tag: Buffer.from(sealed.tag, 'base64'),
    };
    return decrypt(dataKey, parts, textOf(context));
  } catch {
    throw new BrokenSealError(sealed.kek); // the cause only describes the cipher's state and does not help
  } finally {
    dataKey.fill(0);
  }
};

/**
 * The same secret with its data key wrapped by the first KEK; the secret itself is not opened. Null: the first KEK
 * wraps it already.
 */
export const rewrap = async (keys: KeyEncryption, sealed: Sealed, context: SealContext): Promise<Sealed | null> => {
  if (sealed.kek === keys.id) return null;
  const dataKey = await keys.unwrap(sealed.kek, Buffer.from(sealed.wrappedKey, 'base64'), context);
  try {
    const wrapped = await keys.wrap(dataKey, context);
    return { ...sealed, kek: keys.id, wrappedKey: Buffer.from(wrapped).toString('base64') };
  } finally {
    dataKey.fill(0);
  }
};
