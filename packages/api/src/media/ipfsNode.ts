import { MintageError } from '@mintage/protocol';
import { CID } from 'multiformats/cid';
import { dagPb } from './cid.ts';

/**
 * Puts a block into an IPFS node and pins it (Kubo RPC, `block/put`).
 *
 * @throws MintageError SERVICE_UNAVAILABLE when the node fails or gives the block another address.
 */
export const publishToIpfs = async (apiUrl: string, cid: string, bytes: Uint8Array): Promise<void> => {
  const codec = CID.parse(cid).code === dagPb ? 'dag-pb' : 'raw';
  const form = new FormData();
  form.set('data', new Blob([Buffer.from(bytes)]));
  let answer: { Key?: string };
  try {
    const response = await fetch(`${apiUrl}/api/v0/block/put?cid-codec=${codec}&mhtype=sha2-256&pin=true`, {
      method: 'POST',
      body: form,
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`the node answers with status ${response.status}`);
    answer = (await response.json()) as { Key?: string };
  } catch (cause) {
    throw new MintageError('SERVICE_UNAVAILABLE', 'The file store does not answer now', { cause });
  }
  if (answer.Key !== cid) {
    throw new MintageError('SERVICE_UNAVAILABLE', 'The file store does not answer now', {
      cause: new Error(`the node stored ${answer.Key}, not ${cid}`),
    });
  }
};
