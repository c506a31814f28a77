/**
 * Envelope encryption: a secret is sealed by a data key of its own, and the data key is wrapped by a key-encryption key
 * (KEK) that lives outside the database.
 */

/** Names what a sealed secret belongs to. It opens only with the same context, so that rows cannot be swapped. */
export type SealContext = Readonly<Record<string, string>>;

/** Holds one or more KEKs, or calls the service that holds them. */
export interface KeyEncryption {
  /** Name of the KEK that wraps; not secret. It tells which KEK sealed a row. */
  id: string;
  /** Names of all KEKs that can unwrap, `id` among them. */
  ids: readonly string[];
  /**
   * @throws KekUnavailableError when the holder of the KEK does not answer. A key is never stored unwrapped instead.
   */
  wrap(dataKey: Uint8Array, context: SealContext): Promise<Uint8Array>;
  /**
   * @param kek - The name of the KEK that wrapped.
   * @throws KekMissingError, KekUnavailableError; BrokenSealError when the context differs or the bytes were changed.
   */
  unwrap(kek: string, wrapped: Uint8Array, context: SealContext): Promise<Uint8Array>;
}

/** A sealed secret as stored in the database; bytes in base64. */
export interface Sealed {
  /** Name of the KEK that wrapped the data key. */
  kek: string;
  /** The data key. */
  wrappedKey: string;
  /** Of AES-256-GCM under the data key, as the next two. */
  nonce: string;
  ciphertext: string;
  tag: string;
}

/** The required KEK is not configured: a mistake of the operator. */
export class KekMissingError extends Error {
  override readonly name = 'KekMissingError';
  constructor(kek: string, held: readonly string[]) {
    super(
      `This needs the key-encryption key ${kek}; here is only ${held.join(', ')}. ` +
        'Add it to KEK_FILE or KMS_KEY_ID: the first seals, all of them open.',
    );
  }
}

/** The holder of the KEK does not answer now; the same call may succeed later. */
export class KekUnavailableError extends Error {
  override readonly name = 'KekUnavailableError';
  constructor(kek: string, why: string) {
    super(`Who holds the key-encryption key ${kek} does not answer: ${why}`);
  }
}

/** A sealed secret was changed, or belongs to another context than the given one. */
export class BrokenSealError extends Error {
  override readonly name = 'BrokenSealError';
  constructor(kek: string) {
    super(`A secret sealed under ${kek} does not open: it was changed, or belongs to another row.`);
  }
}

/** A canonical text: equal contexts give equal text, in any order of keys. */
export const textOf = (context: SealContext): string =>
  JSON.stringify(Object.entries(context).toSorted(([a], [b]) => (a < b ? -1 : 1)));
