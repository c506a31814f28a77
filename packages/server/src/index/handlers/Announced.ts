import { tokenBridgeAbi } from '@mintage/protocol';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { topicAddress, topicEid, uintAt, wordHexAt } from '../events/evm/words.ts';
import { eventKind } from './event.ts';

/** A message that makes the token known on another chain is on its way. */
export const Announced = eventKind('Announced', {
  evm: evmEvent(tokenBridgeAbi, 'Announced', {
    emitter: 'tokenBridge',
    decode: ({ topics, data }) => ({
      token: topicAddress(topics, 1),
      dstEid: topicEid(topics, 2),
      guid: wordHexAt(data, 0),
      nonce: uintAt(data, 1),
      nativeFee: uintAt(data, 2),
    }),
  }),
  handle(page, { at, token, dstEid, nonce, guid, nativeFee }) {
    page.written.bridge_announced.push({
      ...page.writtenOnce(at),
      token,
      dst_eid: dstEid,
      nonce: Number(nonce),
      guid,
      native_fee: nativeFee,
    });
  },
});
