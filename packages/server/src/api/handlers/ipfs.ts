import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { fileHeaders } from '../media/fileHeaders.ts';
import { handler } from './handler.ts';

export const ipfs = handler(definitions.ipfs, async ({ media }, { cid }) => {
  const file = await media.read(cid);
  if (!file) throw new MintageError('NOT_FOUND', `There is no file ${cid} here`);
  return { body: file.bytes, headers: { ...fileHeaders, 'content-type': file.contentType, etag: `"${cid}"` } };
});
