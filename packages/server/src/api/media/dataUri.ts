import { MintageError } from '@mintage/protocol';

/**
 * The bytes of a base64 data URI, of either alphabet. The type it claims is ignored.
 *
 * @throws MintageError MEDIA_INVALID, MEDIA_TOO_LARGE.
 */
export const decodeDataUri = (source: string, maxBytes: number): Uint8Array => {
  const comma = source.indexOf(',');
  const head = comma === -1 ? '' : source.slice(0, comma);
  const body = source.slice(comma + 1);
  if (!/;base64$/i.test(head)) throw new MintageError('MEDIA_INVALID', 'The data URI is not base64');
  if (body.length > Math.ceil(maxBytes / 3) * 4) throw tooLarge(maxBytes);
  // `Buffer.from` skips invalid characters and stops at the first "=", so a wrong length shows both. One pass instead
  // of two.
  const bytes = Buffer.from(body, 'base64');
  const padding = body.endsWith('==') ? 2 : body.endsWith('=') ? 1 : 0;
  const digits = body.length - padding;
  if (bytes.length === 0 || digits % 4 === 1 || bytes.length !== Math.floor((digits * 3) / 4))
    throw new MintageError('MEDIA_INVALID', 'The data URI is not valid base64');
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
};

export const tooLarge = (maxBytes: number): MintageError =>
  new MintageError('MEDIA_TOO_LARGE', `The file is larger than ${maxBytes} bytes`);
