import type { Media } from '../media/media.ts';

export interface MetadataFields {
  name: string;
  symbol: string;
  description: string;
  image: string;
  banner?: string;
  video?: string;
  links: Readonly<Record<string, string>>;
  tags: readonly string[];
}

export interface StoredMetadata {
  /** `ipfs://<cid>` of the metadata JSON. */
  tokenUri: string;
  /** Web addresses, null for what was not given. */
  logo: string;
  banner: string | null;
  video: string | null;
}

/**
 * Stores image, banner, video and the JSON that names them by content. The JSON holds `ipfs://` addresses, so that it
 * stays true when this service is gone.
 *
 * @throws MintageError MEDIA_INVALID, MEDIA_TOO_LARGE, MEDIA_UNREACHABLE.
 */
export const storeMetadata = async (media: Media, fields: MetadataFields): Promise<StoredMetadata> => {
  const image = await media.image(fields.image);
  const banner = fields.banner === undefined ? null : await media.image(fields.banner);
  const video = fields.video === undefined ? null : await media.video(fields.video);
  const metadata = await media.json({
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
    tokenUri: ipfs(metadata.cid),
    logo: image.url,
    banner: banner?.url ?? null,
    video: video?.url ?? null,
  };
};

const ipfs = (cid: string): string => `ipfs://${cid}`;
