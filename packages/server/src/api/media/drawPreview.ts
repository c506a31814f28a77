import sharp from 'sharp';
import { coinPicture, logoPlace, type PreviewFacts, type PreviewPictures, previewSvg } from './preview.ts';

const { diameter, centerX, centerY } = coinPicture;

/** The picture of a link to a token, PNG. */
export const drawPreview = async (facts: PreviewFacts, pictures: PreviewPictures): Promise<Uint8Array> => {
  const disc = await decoded(pictures.token, roundPicture);
  const logo = await decoded(pictures.logo, squarePicture);
  const paper = sharp(Buffer.from(await previewSvg(facts, { token: disc !== null, logo: logo !== null })));
  const overlays = [
    ...(disc === null ? [] : [{ input: disc, left: centerX - diameter / 2, top: centerY - diameter / 2 }]),
    ...(logo === null ? [] : [{ input: logo, left: logoPlace.left, top: logoPlace.top }]),
  ];
  return paper.composite(overlays).removeAlpha().png({ compressionLevel: 7 }).toBuffer();
};

/** Null when there is none, or when it cannot be decoded. */
const decoded = async (
  picture: Uint8Array | null,
  decode: (picture: Uint8Array) => Promise<Buffer>,
): Promise<Buffer | null> => {
  if (picture === null) return null;
  try {
    return await decode(picture);
  } catch {
    return null;
  }
};

const mask = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${diameter}" height="${diameter}"><circle cx="50%" cy="50%" r="50%"/></svg>`,
);

/** The middle of a picture, cut round; of an animation its first frame. */
const roundPicture = (picture: Uint8Array): Promise<Buffer> =>
  sharp(picture, { failOn: 'error' })
    .resize(diameter, diameter, { fit: 'cover' })
    .ensureAlpha()
    .composite([{ input: mask, blend: 'dest-in' }])
    .png({ compressionLevel: 0 })
    .toBuffer();

/** The whole of it, on nothing; a drawing is drawn large first, so that it stays sharp. */
const squarePicture = (picture: Uint8Array): Promise<Buffer> =>
  sharp(picture, { density: 288 })
    .resize(logoPlace.side, logoPlace.side, { fit: 'contain', background: 'transparent' })
    .png({ compressionLevel: 0 })
    .toBuffer();
