import { MintageError } from '@mintage/protocol/errors';
import sharp, { type Sharp } from 'sharp';
import { refuseCostlySvg } from './svg.ts';

export const maxPixels = 50_000_000;

/** Tried in this order until the result fits: longest side in pixels, WebP quality. */
const steps = [
  { side: 2048, quality: 85 },
  { side: 1536, quality: 75 },
  { side: 1024, quality: 70 },
  { side: 512, quality: 60 },
] as const;
const largest = steps[0].side;
/** A drawing has no pixels of its own: it is drawn at least so large, longest side in pixels, however small it says it is. */
const leastDrawn = 1_024;

sharp.cache(false);
sharp.concurrency(1);

/**
 * Converts any image to WebP: decoded and encoded anew, so that none of the sender's bytes are served. An animation
 * stays one when it fits, otherwise its first frame remains. SVG is rendered.
 *
 * @param square - Side of the square that is cut out of the middle, without its animation; absent: the whole picture.
 * @throws MintageError MEDIA_INVALID, MEDIA_TOO_LARGE.
 */
export const reencodeImage = async (bytes: Uint8Array, maxBytes: number, square?: number): Promise<Uint8Array> => {
  const kind = kindOf(bytes);
  if (kind === null) throw new MintageError('MEDIA_INVALID', 'The file is not a PNG, JPEG, GIF, WEBP or SVG image');
  if (kind === 'svg') refuseCostlySvg(bytes);
  try {
    const { pages = 1, width, height } = await sharp(bytes, { limitInputPixels: maxPixels }).metadata();
    if (width * height > maxPixels) throw tooManyPixels();
    if (square === undefined && pages > 1 && pages * width * height <= maxPixels) {
      const animation = await webp(sharp(bytes, { ...strict, animated: true }).autoOrient(), steps[2]);
      if (animation.length <= maxBytes) return animation;
    }
    // Decoded once for all steps. An SVG is rendered no larger than it is kept, because its cost grows with its area.
    const side = Math.max(width, height);
    const drawn = Math.min(largest, Math.max(leastDrawn, side));
    const density = kind === 'svg' ? Math.max(1, (72 * drawn) / side) : undefined;
    const picture = sharp(bytes, { ...strict, ...(density !== undefined && { density }) });
    const shaped =
      square === undefined
        ? fitted(picture.autoOrient(), largest)
        : picture.autoOrient().resize(square, square, { fit: 'cover' });
    const { data, info } = await shaped.raw().toBuffer({ resolveWithObject: true });
    const { width: w, height: h, channels } = info;
    for (const step of steps) {
      const image = await webp(sharp(data, { raw: { width: w, height: h, channels } }), step);
      if (image.length <= maxBytes) return image;
    }
  } catch (cause) {
    if (cause instanceof MintageError) throw cause;
    if (cause instanceof Error && /pixel limit/i.test(cause.message)) throw tooManyPixels(cause);
    throw new MintageError('MEDIA_INVALID', 'The image cannot be decoded', { cause });
  }
  throw new MintageError('MEDIA_TOO_LARGE', `The image does not fit into ${maxBytes} bytes`);
};

const strict = { limitInputPixels: maxPixels, failOn: 'error' } as const;

const fitted = (picture: Sharp, side: number): Sharp =>
  picture.resize(side, side, { fit: 'inside', withoutEnlargement: true });

const webp = (picture: Sharp, { side, quality }: { side: number; quality: number }): Promise<Buffer> =>
  fitted(picture, side).webp({ quality, effort: 3 }).toBuffer();

const tooManyPixels = (cause?: unknown): MintageError =>
  new MintageError('MEDIA_TOO_LARGE', 'The image has more than 50 megapixels', { cause });

/** The kind of image by its first bytes, so that only the matching decoder ever sees it. */
const kindOf = (bytes: Uint8Array): 'svg' | 'pixels' | null => {
  const head = Buffer.from(bytes.subarray(0, 4_096));
  const text = head.toString('latin1');
  if (
    text.startsWith('\x89PNG\r\n\x1a\n') ||
    text.startsWith('\xff\xd8\xff') ||
    /^GIF8[79]a/.test(text) ||
    (text.startsWith('RIFF') && text.startsWith('WEBP', 8))
  )
    return 'pixels';
  return /^(\xef\xbb\xbf)?\s*</.test(text) && /<svg[\s>]/.test(text) ? 'svg' : null;
};
