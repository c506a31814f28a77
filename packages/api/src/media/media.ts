/** A stored file: its address by content, and where this service serves it. */
export interface StoredFile {
  /** CIDv1. */
  cid: string;
  /** `{PUBLIC_URL}/functions/v1/ipfs/<cid>` */
  url: string;
}

export interface Media {
  /**
   * Fetches or decodes an image, checks and re-encodes it, stores it.
   *
   * @param source - http(s) address or base64 data URI.
   * @throws MintageError MEDIA_INVALID, MEDIA_TOO_LARGE, MEDIA_UNREACHABLE.
   */
  image(source: string): Promise<StoredFile>;
  /** Stores a value as JSON text. */
  json(value: unknown): Promise<StoredFile>;
  /** A stored file, null when there is none with this CID. */
  read(cid: string): Promise<{ contentType: string; bytes: Uint8Array } | null>;
}
