import { MintageError } from '@mintage/protocol';
import type { Config } from '../config.ts';
import type { Db } from '../db/db.ts';
import { cidOfRaw, isFileCid } from './cid.ts';
import { decodeDataUri } from './dataUri.ts';
import { createFetcher, type FetcherOptions } from './guardedFetch.ts';
import { reencodeImage } from './image.ts';
import { inTurn } from './inTurn.ts';
import { publishToIpfs } from './ipfsNode.ts';
import { linksOf, unixFsFile } from './unixFs.ts';
import { videoTypeOf } from './video.ts';

/** A stored file: its address by content, and where this service serves it. */
export interface StoredFile {
  /** CIDv1. */
  cid: string;
  /** `{PUBLIC_URL}/functions/v1/ipfs/<cid>` */
  url: string;
}

/** A file as it is served. */
export interface ServedFile {
  contentType: string;
  bytes: Uint8Array;
}

export interface Media {
  /**
   * Fetches or decodes an image, checks it by content, re-encodes it to WebP and stores it.
   *
   * @param source - http(s) address or base64 data URI.
   * @throws MintageError MEDIA_INVALID, MEDIA_TOO_LARGE, MEDIA_UNREACHABLE.
   */
  image(source: string): Promise<StoredFile>;
  /**
   * Stores a video from a base64 data URI unchanged; a web address stays one.
   *
   * @returns `cid` null for a web address.
   * @throws MintageError MEDIA_INVALID, MEDIA_TOO_LARGE.
   */
  video(source: string): Promise<{ cid: string | null; url: string }>;
  /** Stores a value as JSON text. */
  json(value: unknown): Promise<StoredFile>;
  /** A stored file, null when there is none with this CID. */
  read(cid: string): Promise<ServedFile | null>;
}

/** Largest file that is fetched or decoded. */
export const maxImageBytes = 5_000_000;
export const maxVideoBytes = 8 * 1024 * 1024;
/** Largest block: what every IPFS node takes in one piece. */
export const maxBlockBytes = 1024 * 1024;

export interface MediaOptions {
  /** Name resolution and address rule of the fetcher; replaced in tests only. */
  fetcher?: FetcherOptions;
}

export const createMedia = (config: Config, db: Db, options: MediaOptions = {}): Media => {
  const fetchBytes = createFetcher({ maxBytes: maxImageBytes, ...options.fetcher });
  // Decoding is the costliest thing a caller can ask for; the other threads of the pool stay free.
  const oneOfTwo = inTurn(2);

  const put = async (cid: string, contentType: string, bytes: Uint8Array): Promise<void> => {
    if (config.ipfsApiUrl !== null) await publishToIpfs(config.ipfsApiUrl, cid, bytes);
    await db
      .insertInto('media_block')
      .values({ cid, content_type: contentType, bytes: Buffer.from(bytes) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  };
  const stored = (cid: string): StoredFile => ({ cid, url: `${config.publicUrl}/functions/v1/ipfs/${cid}` });
  const putRaw = async (contentType: string, bytes: Uint8Array): Promise<StoredFile> => {
    const cid = cidOfRaw(bytes);
    await put(cid, contentType, bytes);
    return stored(cid);
  };
  const block = (cid: string) =>
    db.selectFrom('media_block').select(['content_type', 'bytes']).where('cid', '=', cid).executeTakeFirst();

  return {
    async image(source) {
      const bytes = isDataUri(source) ? decodeDataUri(source, maxImageBytes) : await fetchBytes(source);
      return putRaw('image/webp', await oneOfTwo(() => reencodeImage(bytes, maxBlockBytes)));
    },

    async video(source) {
      if (!isDataUri(source)) {
        if (/^https:\/\/[^\s]{1,2000}$/.test(source) && URL.canParse(source)) return { cid: null, url: source };
        throw new MintageError('MEDIA_INVALID', 'video: must be an https address or a base64 data URI');
      }
      const bytes = decodeDataUri(source, maxVideoBytes);
      const contentType = videoTypeOf(bytes);
      if (contentType === null) throw new MintageError('MEDIA_INVALID', 'video: is neither MP4 nor WebM');
      const { root, blocks } = unixFsFile(bytes, maxBlockBytes);
      for (const { cid, bytes: part } of blocks)
        await put(cid, cid === root ? contentType : 'application/octet-stream', part);
      return stored(root);
    },

    async json(value) {
      const bytes = new TextEncoder().encode(JSON.stringify(value));
      if (bytes.length > maxBlockBytes) throw new MintageError('MEDIA_TOO_LARGE', 'The metadata is larger than 1 MiB');
      return putRaw('application/json', bytes);
    },

    async read(cid) {
      const row = await block(cid);
      if (!row) return null;
      if (!isFileCid(cid)) return { contentType: row.content_type, bytes: row.bytes };
      const parts = await Promise.all(linksOf(row.bytes).map(block));
      if (parts.some((part) => part === undefined)) throw new Error(`A part of ${cid} is missing.`);
      return {
        contentType: row.content_type,
        bytes: Buffer.concat(parts.flatMap((part) => (part ? [part.bytes] : []))),
      };
    },
  };
};

const isDataUri = (source: string): boolean => /^data:/i.test(source);
