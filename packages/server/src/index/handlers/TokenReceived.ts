import { bridgeActivity, tokenBridgeAbi } from '@mintage/protocol';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { topicAddress, topicEid, uintAt, wordHexAt } from '../events/evm/words.ts';
import { activityChain } from '../outbox/news.ts';
import { eventKind } from './event.ts';

/** Tokens arrived from another chain; their mint is a `Transfer` of the same transaction. */
export const TokenReceived = eventKind('TokenReceived', {
  evm: evmEvent(tokenBridgeAbi, 'TokenReceived', {
    emitter: 'tokenBridge',
    decode: ({ topics, data }) => ({
      token: topicAddress(topics, 1),
      recipient: topicAddress(topics, 2),
      srcEid: topicEid(topics, 3),
      amount: uintAt(data, 0),
      guid: wordHexAt(data, 1),
      nonce: uintAt(data, 2),
    }),
  }),
  handle(page, event) {
    const remote = page.rows.remote_token.change(event.at.block, event.token);
    if (remote !== undefined) remote.supply += event.amount;
    page.written.bridge_received.push({
      ...page.writtenOnce(event.at),
      token: event.token,
      src_eid: event.srcEid,
      nonce: Number(event.nonce),
      guid: event.guid,
      recipient: event.recipient,
      amount: event.amount,
    });
  },
  activities: (page, from) =>
    page.written.bridge_received
      .filter((row) => row.block_number >= from)
      .map((row) => ({ time: row.time, activity: bridgeActivity(activityChain(page), page.identity(row.token), row) })),
});
