import { MintageError } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Db, Tx } from '../../db/serviceTables.ts';
import type { Sender } from '../limits/shares.ts';
import { type Asker, createTurns, type TurnOptions } from '../limits/turns.ts';
import { cidOfRaw, isFileCid } from './cid.ts';
import { decodeDataUri } from './dataUri.ts';
import { createFetcher, type FetcherOptions } from './guardedFetch.ts';
import { createImages } from './images.ts';
import { createIpfsNode } from './ipfsNode.ts';
import { keepForGood, keepForNow } from './looseFiles.ts';
import { createPreviews, type Previews } from './previews.ts';
import { type Brought, countBrought, newOf, requireRoom } from './quotas.ts';
import { linksOf, unixFsFile } from './unixFs.ts';
import { videoTypeOf } from './video.ts';
import { type Size, webpSize } from './webpSize.ts';

/** A checked file: its address by content, and where this service serves it once it is stored. */
export interface MediaFile {
  /** CIDv1. */
  cid: string;
  /** `{PUBLIC_URL}/functions/v1/ipfs/<cid>` */
  url: string;
  mime: string;
  /** Of a picture; null: it is none. */
  size: Size | null;
  /** What `store` writes; none of a file that is stored. */
  blocks: readonly Block[];
}

/** A video by web address stays where it is: nothing to store. */
export interface RemoteVideo {
  cid: null;
  url: string;
  blocks: readonly [];
}

export interface Block {
  cid: string;
  /** Of the file on its root; `partOfFile` on the other blocks. */
  contentType: string;
  bytes: Uint8Array;
}

/** A file as it is served. */
export interface ServedFile {
  contentType: string;
  bytes: Uint8Array;
}

/** Files are checked first and stored together: a request that fails at its last file stores none. */
export interface Media {
  /**
   * Fetches or decodes an image, checks it by content and re-encodes it to WebP.
   *
   * @param source - http(s) address, base64 data URI, or `ipfs://<cid>` of a file that is stored here.
   * @param asker - Whose share of fetches and decoders it counts against; absent: the service's own.
   * @throws MintageError MEDIA_INVALID, MEDIA_TOO_LARGE, MEDIA_UNREACHABLE; RATE_LIMIT_EXCEEDED when too many requests
   * of the asker wait, SERVICE_UNAVAILABLE when the asker is gone or no decoder runs.
   */
  image(source: string, asker?: Asker): Promise<MediaFile>;
  /** As `image`, cut to a square of 512 by 512: the picture of a person. */
  portrait(source: string, asker: Asker): Promise<MediaFile>;
  /**
   * Takes a video from a base64 data URI unchanged; a web address stays one.
   *
   * @throws MintageError MEDIA_INVALID, MEDIA_TOO_LARGE.
   */
  video(source: string): Promise<MediaFile | RemoteVideo>;
  /**
   * A value as JSON text.
   *
   * @throws MintageError MEDIA_TOO_LARGE.
   */
  json(value: unknown): MediaFile;
  /**
   * Pins the files in the IPFS node, when there is one, then stores all of them in one transaction.
   *
   * @throws MintageError SERVICE_UNAVAILABLE when the node fails or gives another address.
   */
  store(files: readonly (MediaFile | RemoteVideo)[]): Promise<void>;
  /**
   * As `store`, but only for as long as something refers to them, which must begin within the call (`looseFiles.ts`). Counted in the
   * quotas of who brings them.
   *
   * @throws MintageError MEDIA_QUOTA_EXCEEDED, and as `store`.
   */
  storeForNow(files: readonly (MediaFile | RemoteVideo)[], sender: Sender): Promise<void>;
  /** A file that is stored already, null when there is none with this CID in service, nor for a part of a file. */
  stored(cid: string): Promise<MediaFile | null>;
  /**
   * A stored file, null when there is none with this CID.
   *
   * @throws MintageError MEDIA_WITHDRAWN when it is out of service.
   */
  read(cid: string): Promise<ServedFile | null>;
  /** Pictures of links to tokens. */
  preview: Previews;
  /** Ends the decoder processes. */
  close(): Promise<void>;
}

/** Largest file that is fetched or decoded. */
export const maxImageBytes = 5_000_000;
export const maxVideoBytes = 8 * 1024 * 1024;
/** Pixels. */
const portraitSide = 512;
/** Largest block: what every IPFS node takes in one piece. */
export const maxBlockBytes = 1024 * 1024;
/** Limits on picture downloads: a slow server occupies a place for 8 s, so each caller gets only a few. */
const fetchTurns: TurnOptions = {
  what: 'files',
  places: 16,
  perOwner: { running: 4, waiting: 16 },
  perAddress: { running: 4, waiting: 64 },
};
const ourselves: Asker = { owner: '', address: '' };

export interface MediaOptions {
  /** Name resolution and address rule of the fetcher; replaced in tests only. */
  fetcher?: FetcherOptions;
  /** For the IPFS node to take a block, in milliseconds. */
  ipfsWithinMs?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
}

export const createMedia = (config: Config, db: Db, options: MediaOptions = {}): Media => {
  const { now = Date.now } = options;
  const fetchBytes = createFetcher({ maxBytes: maxImageBytes, ...options.fetcher });
  const fetchInTurn = createTurns(fetchTurns);
  const images = createImages();
  const ipfs = config.ipfsApiUrl === null ? null : createIpfsNode(config.ipfsApiUrl, options.ipfsWithinMs);

  /** @param head - The beginning of the file, which says how large a picture is. */
  const file = (cid: string, mime: string, head: Uint8Array, blocks: readonly Block[]): MediaFile => ({
    cid,
    url: `${config.publicUrl}/functions/v1/ipfs/${cid}`,
    mime,
    size: mime === 'image/webp' ? webpSize(head) : null,
    blocks,
  });
  const rawFile = (contentType: string, bytes: Uint8Array): MediaFile => {
    const cid = cidOfRaw(bytes);
    return file(cid, contentType, bytes, [{ cid, contentType, bytes }]);
  };
  const bytesOf = async (source: string, asker: Asker): Promise<Uint8Array> => {
    if (isDataUri(source)) return decodeDataUri(source, maxImageBytes);
    const [, stored] = /^ipfs:\/\/([a-z0-9]{1,100})$/.exec(source) ?? [];
    return stored === undefined ? fetchInTurn(asker, () => fetchBytes(source, asker.gone)) : storedImage(stored);
  };
  const storedImage = async (cid: string): Promise<Uint8Array> => {
    const row = await block(cid);
    if (row?.content_type.startsWith('image/') && !row.is_withdrawn) return row.bytes;
    throw new MintageError('MEDIA_INVALID', `No image is stored here as ipfs://${cid}`);
  };
  const block = (cid: string) =>
    db
      .selectFrom('media_block')
      .select(['content_type', 'bytes', isWithdrawn.as('is_withdrawn')])
      .where('cid', '=', cid)
      .executeTakeFirst();

  const read: Media['read'] = async (cid) => {
    const row = await block(cid);
    if (!row) return null;
    if (row.is_withdrawn) throw new MintageError('MEDIA_WITHDRAWN', `The file ${cid} was taken out of service.`);
    if (!isFileCid(cid)) return { contentType: row.content_type, bytes: row.bytes };
    const parts = await Promise.all(linksOf(row.bytes).map(block));
    if (parts.some((part) => part === undefined)) throw new Error(`A part of ${cid} is missing.`);
    return {
      contentType: row.content_type,
      bytes: Buffer.concat(parts.flatMap((part) => (part ? [part.bytes] : []))),
    };
  };

  const pictureOf = async (cid: string): Promise<Uint8Array | null> => {
    const row = await block(cid);
    return row === undefined || row.is_withdrawn ? null : row.bytes;
  };

  /** All blocks of these files, each once, in the IPFS node too. */
  const published = async (files: readonly (MediaFile | RemoteVideo)[]): Promise<Block[]> => {
    const blocks = [...new Map(files.flatMap((one) => one.blocks).map((one) => [one.cid, one])).values()];
    if (ipfs !== null) for (const { cid, bytes } of blocks) await ipfs.publish(cid, bytes);
    return blocks;
  };

  return {
    read,

    async stored(cid) {
      const found = await db
        .selectFrom('media_block')
        .select(['content_type', sql<Buffer>`substring(bytes from 1 for 30)`.as('head')])
        .where('cid', '=', cid)
        .where('content_type', '<>', partOfFile)
        .where(isWithdrawn, '=', false)
        .executeTakeFirst();
      return found === undefined ? null : file(cid, found.content_type, found.head, []);
    },

    preview: createPreviews(images, pictureOf, config.brandLogo, options.now),

    async close() {
      ipfs?.close();
      await images.close();
    },

    async image(source, asker = ourselves) {
      return rawFile('image/webp', await images.webp(await bytesOf(source, asker), maxBlockBytes, asker));
    },

    async portrait(source, asker) {
      return rawFile('image/webp', await images.webp(await bytesOf(source, asker), maxBlockBytes, asker, portraitSide));
    },

    async video(source) {
      if (!isDataUri(source)) {
        if (/^https:\/\/[^\s]{1,2000}$/.test(source) && URL.canParse(source))
          return { cid: null, url: source, blocks: [] };
        throw new MintageError('MEDIA_INVALID', 'video: must be an https address or a base64 data URI');
      }
      const bytes = decodeDataUri(source, maxVideoBytes);
      const contentType = videoTypeOf(bytes);
      if (contentType === null) throw new MintageError('MEDIA_INVALID', 'video: is neither MP4 nor WebM');
      const { root, blocks } = unixFsFile(bytes, maxBlockBytes);
      return file(
        root,
        contentType,
        bytes,
        blocks.map(({ cid, bytes: part }) => ({
          cid,
          contentType: cid === root ? contentType : partOfFile,
          bytes: part,
        })),
      );
    },

    json(value) {
      const bytes = new TextEncoder().encode(JSON.stringify(value));
      if (bytes.length > maxBlockBytes) throw new MintageError('MEDIA_TOO_LARGE', 'The metadata is larger than 1 MiB');
      return rawFile('application/json', bytes);
    },

    async store(files) {
      const blocks = await published(files);
      if (blocks.length === 0) return;
      await db.transaction().execute((tx) => keepForGood(tx, cidsOf(blocks), () => insert(tx, blocks)));
    },

    async storeForNow(files, sender) {
      const brought = files.flatMap(broughtBy);
      if (brought.length === 0) return;
      // Before the IPFS node has them, which would keep them.
      const added = await newOf(db, sender, brought);
      await requireRoom(db, config, sender, bytesOfAll(added), now());
      const blocks = await published(files);
      const partsOf = (cid: string) =>
        files.find((one) => one.cid === cid)?.blocks.filter((one) => one.cid !== cid) ?? [];
      const loose = blocks.map(({ cid }) => ({ cid, parts: cidsOf(partsOf(cid)) }));
      await db.transaction().execute(async (tx) => {
        await keepForNow(tx, loose, now(), () => insert(tx, blocks));
        await countBrought(tx, config, sender, brought, now());
      });
    },
  };
};

/** Of `media_block`: whether an operator took it out of service, with a token. */
const isWithdrawn = sql<boolean>`exists (select from withdrawn_file where withdrawn_file.cid = media_block.cid)`;

const cidsOf = (blocks: readonly Block[]): string[] => blocks.map(({ cid }) => cid);

/** What a file takes; nothing of one that is stored, or lies elsewhere. */
const broughtBy = ({ cid, blocks }: MediaFile | RemoteVideo): Brought[] =>
  cid === null || blocks.length === 0 ? [] : [{ cid, bytes: blocks.reduce((sum, { bytes }) => sum + bytes.length, 0) }];

const bytesOfAll = (files: readonly Brought[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Gives the addresses of those that were not there. */
const insert = async (tx: Tx, blocks: readonly Block[]): Promise<string[]> => {
  const rows = blocks
    .map(({ cid, contentType, bytes }) => ({ cid, content_type: contentType, bytes: Buffer.from(bytes) }))
    .toSorted((one, other) => (one.cid < other.cid ? -1 : 1));
  const added = await tx
    .insertInto('media_block')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('cid')
    .execute();
  return added.map(({ cid }) => cid);
};

/** Type of the blocks that are no file by themselves. */
const partOfFile = 'application/octet-stream';

const isDataUri = (source: string): boolean => /^data:/i.test(source);
