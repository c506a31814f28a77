import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { fileHeaders } from '../media/fileHeaders.ts';
import { handler } from './handler.ts';

/** A file never changes, and may be taken out of service: whoever keeps it asks again after so many seconds. */
const keptSeconds = 3_600;
const headers = { ...fileHeaders, 'cache-control': `public, max-age=${keptSeconds}` };

export const ipfs = handler(definitions.ipfs, async ({ media }, { cid }) => {
  const file = await media.read(cid);
  if (!file) throw new MintageError('NOT_FOUND', `There is no file ${cid} here`);
  return { body: file.bytes, headers: { ...headers, 'content-type': file.contentType, etag: `"${cid}"` } };
});
