import { MintageError } from '@mintage/protocol';
import sharp, { type Sharp } from 'sharp';

export const maxPixels = 50_000_000;
const secondsPerStep = 5;

/** Tried in this order until the result fits: longest side in pixels, WebP quality. */
const steps = [
  { side: 2048, quality: 85 },
  { side: 1536, quality: 75 },
  { side: 1024, quality: 70 },
  { side: 512, quality: 60 },
] as const;

sharp.cache(false);
sharp.concurrency(1);

/**
 * An image as WebP, whatever it came as: decoded and encoded anew, so that nothing of the sender's bytes is served.
 * An animation stays one when it fits, else its first frame remains. SVG is drawn.
 *
 * @throws MintageError MEDIA_INVALID, MEDIA_TOO_LARGE.
 */
export const reencodeImage = async (bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> => {
  if (!looksLikeImage(bytes))
    throw new MintageError('MEDIA_INVALID', 'The file is not a PNG, JPEG, GIF, WEBP or SVG image');
  try {
    const { pages = 1, width, height } = await sharp(bytes, { limitInputPixels: maxPixels }).metadata();
    if (pages > 1 && pages * width * height <= maxPixels) {
      const animation = await encode(bytes, { animated: true, ...steps[2] });
      if (animation.length <= maxBytes) return animation;
    }
    for (const step of steps) {
      const image = await encode(bytes, { animated: false, ...step });
      if (image.length <= maxBytes) return image;
    }
  } catch (cause) {
    if (cause instanceof MintageError) throw cause;
    if (cause instanceof Error && /pixel limit|timeout/i.test(cause.message)) throw tooManyPixels(cause);
    throw new MintageError('MEDIA_INVALID', 'The image cannot be decoded', { cause });
  }
  throw new MintageError('MEDIA_TOO_LARGE', `The image does not fit into ${maxBytes} bytes`);
};

const encode = (bytes: Uint8Array, to: { animated: boolean; side: number; quality: number }): Promise<Buffer> => {
  const image: Sharp = sharp(bytes, { limitInputPixels: maxPixels, animated: to.animated, failOn: 'error' });
  return image
    .autoOrient()
    .resize(to.side, to.side, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: to.quality, effort: 3 })
    .timeout({ seconds: secondsPerStep })
    .toBuffer();
};

const tooManyPixels = (cause?: unknown): MintageError =>
  new MintageError('MEDIA_TOO_LARGE', 'The image has more than 50 megapixels or takes too long to decode', { cause });

/** By the first bytes, so that no other decoder is ever asked. */
const looksLikeImage = (bytes: Uint8Array): boolean => {
  const head = Buffer.from(bytes.subarray(0, 4_096));
  const text = head.toString('latin1');
  return (
    text.startsWith('\x89PNG\r\n\x1a\n') ||
    text.startsWith('\xff\xd8\xff') ||
    /^GIF8[79]a/.test(text) ||
    (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) ||
    (/^(\xef\xbb\xbf)?\s*</.test(text) && /<svg[\s>]/.test(text))
  );
};
