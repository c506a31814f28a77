import { bridgeActivity, tokenBridgeAbi } from '@mintage/protocol';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { flagAt, recipientAt, topicAddress, topicEid, uintAt, wordHexAt } from '../events/evm/words.ts';
import { activityChain } from '../outbox/news.ts';
import { eventKind } from './event.ts';

/** Tokens left for another chain; their burn is a `Transfer` of the same transaction. */
export const TokenSent = eventKind('TokenSent', {
  evm: evmEvent(tokenBridgeAbi, 'TokenSent', {
    emitter: 'tokenBridge',
    decode: ({ topics, data }) => ({
      token: topicAddress(topics, 1),
      sender: topicAddress(topics, 2),
      dstEid: topicEid(topics, 3),
      recipient: recipientAt(data, 0),
      amount: uintAt(data, 1),
      guid: wordHexAt(data, 2),
      nonce: uintAt(data, 3),
      nativeFee: uintAt(data, 4),
      registers: flagAt(data, 5),
    }),
  }),
  handle(page, event) {
    const remote = page.rows.remote_token.change(event.at.block, event.token);
    if (remote !== undefined) remote.supply -= event.amount;
    page.written.bridge_sent.push({
      ...page.writtenOnce(event.at),
      token: event.token,
      dst_eid: event.dstEid,
      nonce: Number(event.nonce),
      guid: event.guid,
      sender: event.sender,
      recipient: event.recipient,
      amount: event.amount,
      native_fee: event.nativeFee,
      registers: event.registers,
    });
  },
  activities: (page, from) =>
    page.written.bridge_sent
      .filter((row) => row.block_number >= from)
      .map((row) => ({ time: row.time, activity: bridgeActivity(activityChain(page), page.identity(row.token), row) })),
});
