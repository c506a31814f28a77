import type { Asker } from '../limits/turns.ts';
import type { Media, MediaFile, RemoteVideo } from '../media/media.ts';

export interface MetadataFields {
  name: string;
  symbol: string;
  description: string;
  /** http(s) address or base64 data URI, as the next two. */
  image: string;
  banner?: string;
  video?: string;
  /** By the keys that they have in the JSON. */
  links: Readonly<Record<string, string>>;
  tags: readonly string[];
}

export interface Metadata {
  /** `ipfs://<cid>` of the metadata JSON. */
  tokenUri: string;
  /** Web addresses, null for what was not given. */
  logo: string;
  banner: string | null;
  video: string | null;
}

/** Metadata and the files that `media.store` has to keep for it. */
export interface PreparedMetadata {
  metadata: Metadata;
  files: readonly (MediaFile | RemoteVideo)[];
}

/**
 * Checks image, banner and video, and writes the JSON that names them by content. The JSON holds `ipfs://` addresses,
 * so that it stays valid without this service. Stores nothing.
 *
 * @throws MintageError MEDIA_INVALID, MEDIA_TOO_LARGE, MEDIA_UNREACHABLE.
 */
export const prepareMetadata = async (
  media: Media,
  fields: MetadataFields,
  asker?: Asker,
): Promise<PreparedMetadata> => {
  const image = await media.image(fields.image, asker);
  const banner = fields.banner === undefined ? null : await media.image(fields.banner, asker);
  const video = fields.video === undefined ? null : await media.video(fields.video);
  const json = media.json({
    name: fields.name,
    symbol: fields.symbol,
    description: fields.description,
    image: ipfs(image.cid),
    ...(banner && { banner: ipfs(banner.cid) }),
    ...(video && { video: video.cid === null ? video.url : ipfs(video.cid) }),
    ...fields.links,
    tags: fields.tags,
  });
  return {
    metadata: {
      tokenUri: ipfs(json.cid),
      logo: image.url,
      banner: banner?.url ?? null,
      video: video?.url ?? null,
    },
    files: [image, banner, video, json].filter((file) => file !== null),
  };
};

/** Checks and stores in one go. */
export const storeMetadata = async (media: Media, fields: MetadataFields): Promise<Metadata> => {
  const { metadata, files } = await prepareMetadata(media, fields);
  await media.store(files);
  return metadata;
};

const ipfs = (cid: string): string => `ipfs://${cid}`;
