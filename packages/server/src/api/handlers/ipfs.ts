import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { handler } from './handler.ts';

/** Headers of stored files: nothing in a file can run as script, wherever it is opened, and a file never changes. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

export const ipfs = handler(definitions.ipfs, async ({ media }, { cid }) => {
  const file = await media.read(cid);
  if (!file) throw new MintageError('NOT_FOUND', `There is no file ${cid} here`);
  return { body: file.bytes, headers: { ...headers, 'content-type': file.contentType, etag: `"${cid}"` } };
});
