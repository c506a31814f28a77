import { type Eid, layerZeroEndpointAbi } from '@mintage/protocol';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { bytesAt, numberAt, uintAt, wordHexAt } from '../events/evm/words.ts';
import { eventKind } from './event.ts';

const longestReason = 512;

/** Someone says that a delivery to the bridge failed. */
export const LzReceiveAlert = eventKind('LzReceiveAlert', {
  evm: evmEvent(layerZeroEndpointAbi, 'LzReceiveAlert', {
    emitter: 'layerZeroEndpoint',
    decode: ({ data }) => ({
      // The origin's three words, then what is not indexed in order. Anyone may emit it, with any numbers.
      srcEid: numberAt(data, 0) as Eid,
      nonce: uintAt(data, 2),
      guid: wordHexAt(data, 3),
      reason: bytesAt(data, 8, longestReason),
    }),
  }),
  handle(page, { at, srcEid, nonce, guid, reason }) {
    if (nonce > mostNonce) return;
    page.written.bridge_alert.push({ ...page.writtenOnce(at), src_eid: srcEid, nonce: Number(nonce), guid, reason });
  },
});

/** No path gets there, but anyone may say so. */
const mostNonce = BigInt(Number.MAX_SAFE_INTEGER);
