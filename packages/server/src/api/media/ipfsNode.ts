import { MintageError } from '@mintage/protocol';
import { CID } from 'multiformats/cid';
import { createCircuit } from '../wire/circuit.ts';
import { dagPb } from './cid.ts';

/** An IPFS node (Kubo RPC). After it hangs once, files are refused until it answers again. */
export interface IpfsNode {
  /**
   * Puts a block into the node and pins it (`block/put`).
   *
   * @throws MintageError SERVICE_UNAVAILABLE when the node fails or gives the block another address.
   */
  publish(cid: string, bytes: Uint8Array): Promise<void>;
  close(): void;
}

const probeEveryMs = 1_000;
const probeMs = 2_000;

/** @param answersWithinMs - A node that takes longer for a block counts as unavailable, milliseconds. */
export const createIpfsNode = (apiUrl: string, answersWithinMs = 10_000): IpfsNode => {
  const ask = (path: string, withinMs: number, body?: FormData): Promise<Response> =>
    fetch(`${apiUrl}/api/v0/${path}`, {
      method: 'POST',
      signal: AbortSignal.timeout(withinMs),
      ...(body ? { body } : {}),
    });
  const circuit = createCircuit({
    probe: async () => (await ask('version', probeMs)).body?.cancel(), // any answer shows that it is there
    everyMs: probeEveryMs,
    isAway: (error) => !(error instanceof BadAnswer),
  });
  const put = async (cid: string, bytes: Uint8Array): Promise<void> => {
    const codec = CID.parse(cid).code === dagPb ? 'dag-pb' : 'raw';
    const form = new FormData();
    form.set('data', new Blob([Buffer.from(bytes)]));
    const response = await ask(`block/put?cid-codec=${codec}&mhtype=sha2-256&pin=true`, answersWithinMs, form);
    const text = await response.text();
    if (!response.ok) throw new BadAnswer(`the node answers with status ${response.status}`);
    if (keyOf(text) !== cid) throw new BadAnswer(`the node stored ${keyOf(text)}, not ${cid}`);
  };
  return {
    async publish(cid, bytes) {
      try {
        await circuit.run(() => put(cid, bytes));
      } catch (cause) {
        throw new MintageError('SERVICE_UNAVAILABLE', 'The file store does not answer now', { cause });
      }
    },
    close: circuit.stop,
  };
};

/** The node answered, but did not store the block. */
class BadAnswer extends Error {}

const keyOf = (text: string): string | undefined => {
  try {
    return (JSON.parse(text) as { Key?: string }).Key;
  } catch {
    throw new BadAnswer('the node does not answer in JSON');
  }
};
