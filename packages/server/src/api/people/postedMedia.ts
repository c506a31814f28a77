import { invalid, MintageError } from '@mintage/protocol';
import type { PostedMedia } from '@mintage/protocol/operations';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { Asker } from '../limits/turns.ts';
import type { Media, MediaFile } from '../media/media.ts';
import { requireFilms } from '../media/quotas.ts';

/** Most pictures of one post; a film stands alone. */
const mostPictures = 4;
const pictureType = 'image/webp';
const filmTypes = ['video/mp4', 'video/webm'];

interface Posting {
  media: Media;
  db: Db;
  config: Pick<Config, 'mediaQuotas'>;
  now(): number;
}

/**
 * The files of a post, checked and not yet stored.
 *
 * @param sources - Each a web address or data URI of a picture, a data URI of a film, or `ipfs://<cid>` of a file that is kept here.
 * @throws MEDIA_INVALID, MEDIA_TOO_LARGE, MEDIA_UNREACHABLE, FILMS_NOT_YET; INVALID_PARAMETERS for too many.
 */
export const checkMedia = async (context: Posting, sources: readonly string[], asker: Asker): Promise<MediaFile[]> => {
  if (sources.length > mostPictures) throw tooMany();
  const files: MediaFile[] = [];
  for (const source of sources) files.push(await checkOne(context, source, asker));
  if (files.length > 1 && files.some(({ mime }) => mime !== pictureType)) throw tooMany();
  return files;
};

const checkOne = (context: Posting, source: string, asker: Asker): Promise<MediaFile> => {
  const { media } = context;
  if (/^ipfs:\/\//i.test(source)) return keptFile(media, source.slice('ipfs://'.length));
  if (/^data:video\//i.test(source)) return checkFilm(context, source, asker);
  return media.image(source, asker);
};

/**
 * A film by its bytes: one by web address would never be looked at.
 *
 * @throws MEDIA_INVALID, MEDIA_TOO_LARGE, FILMS_NOT_YET
 */
export const checkFilm = async (context: Posting, source: string, { owner }: Asker): Promise<MediaFile> => {
  const { media, db, config, now } = context;
  await requireFilms(db, config, owner, now());
  const film = /^data:/i.test(source) ? await media.video(source) : null;
  if (film === null || film.cid === null)
    throw new MintageError('MEDIA_INVALID', 'A video has to come as a base64 data URI.');
  return film;
};

const keptFile = async (media: Media, cid: string): Promise<MediaFile> => {
  const file = await media.stored(cid);
  if (file === null || ![pictureType, ...filmTypes].includes(file.mime))
    throw new MintageError('MEDIA_INVALID', `No picture or video is kept here as ${cid.slice(0, 80)}.`);
  return file;
};

const tooMany = (): MintageError => invalid('media', `must be at most ${mostPictures} pictures or one video`);

/** As posts show it. */
export const postedMedia = ({ cid, url, mime, size }: MediaFile): PostedMedia => ({
  cid,
  url,
  type: mime === pictureType ? 'image' : 'video',
  width: size?.width ?? null,
  height: size?.height ?? null,
  mime,
});
