/**
 * Envelope encryption: a secret is sealed by a data key of its own, and the data key is wrapped by a key-encryption key
 * (KEK) that lives outside the database.
 */

/** Names what a sealed secret belongs to; it opens only under the same words, so that rows cannot be swapped. */
export type SealContext = Readonly<Record<string, string>>;

/** Holds one or more KEKs, or speaks to who holds them. */
export interface KeyEncryption {
  /** Names the KEK that wraps, never secret: a row that another KEK sealed is told apart by it. */
  id: string;
  /** Every KEK that can be unwrapped with, `id` among them. */
  ids: readonly string[];
  /** @throws KekUnavailableError when who holds the KEK does not answer. Nothing is ever left unwrapped instead. */
  wrap(dataKey: Uint8Array, context: SealContext): Promise<Uint8Array>;
  /**
   * @param kek - The name of the KEK that wrapped.
   * @throws KekMissingError, KekUnavailableError; BrokenSealError when the words are others or the bytes were changed.
   */
  unwrap(kek: string, wrapped: Uint8Array, context: SealContext): Promise<Uint8Array>;
}

/** A sealed secret as it stands in the database; all parts base64. */
export interface Sealed {
  kek: string;
  wrappedKey: string;
  nonce: string;
  ciphertext: string;
  tag: string;
}

/** The KEK that is needed is not at hand: a mistake of who configures. */
export class KekMissingError extends Error {
  override readonly name = 'KekMissingError';
  constructor(kek: string, held: readonly string[]) {
    super(
      `This needs the key-encryption key ${kek}; here is only ${held.join(', ')}. ` +
        'Add it to KEK_FILE or KMS_KEY_ID: the first seals, all of them open.',
    );
  }
}

/** Who holds the KEK does not answer now; the same call may succeed later. */
export class KekUnavailableError extends Error {
  override readonly name = 'KekUnavailableError';
  constructor(kek: string, why: string) {
    super(`Who holds the key-encryption key ${kek} does not answer: ${why}`);
  }
}

/** A sealed secret that was changed, or that belongs to something else than was said. */
export class BrokenSealError extends Error {
  override readonly name = 'BrokenSealError';
  constructor(kek: string) {
    super(`A secret sealed under ${kek} does not open: it was changed, or belongs to another row.`);
  }
}

/** The same text for the same words in any order. */
export const textOf = (context: SealContext): string =>
  JSON.stringify(Object.entries(context).toSorted(([a], [b]) => (a < b ? -1 : 1)));
