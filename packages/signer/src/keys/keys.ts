/**
 * Envelope encryption: a secret is sealed by a data key of its own, and the data key is wrapped by a key-encryption key
 * (KEK) that lives outside the database.
 */

/** Names what a sealed secret belongs to; it opens only under the same words, so that rows cannot be swapped. */
export type SealContext = Readonly<Record<string, string>>;

/** Holds the KEK, or speaks to who holds it. */
export interface KeyEncryption {
  /** Names the KEK, never secret: a row that another KEK sealed is told apart by it. */
  id: string;
  wrap(dataKey: Uint8Array, context: SealContext): Promise<Uint8Array>;
  /** @throws When the words or the KEK are others, or the bytes were changed. */
  unwrap(wrapped: Uint8Array, context: SealContext): Promise<Uint8Array>;
}

/** A sealed secret as it stands in the database; all parts base64. */
export interface Sealed {
  kek: string;
  wrappedKey: string;
  nonce: string;
  ciphertext: string;
  tag: string;
}
