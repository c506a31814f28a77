import { platformIdOf, tokenBridgeAbi, tokenIdOf } from '@mintage/protocol';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { addressAt, textAt, topicAddress, topicEid, wordHexAt } from '../events/evm/words.ts';
import { eventKind } from './event.ts';
import { longestName } from './TokenCreated.ts';

/** A token of another chain exists here from now on. */
export const TokenRegistered = eventKind('TokenRegistered', {
  evm: evmEvent(tokenBridgeAbi, 'TokenRegistered', {
    emitter: 'tokenBridge',
    decode: ({ topics, data }) => ({
      token: topicAddress(topics, 1),
      homeEid: topicEid(topics, 2),
      // word 0, the EIP-155 id of the home, follows from its endpoint id
      creator: addressAt(data, 1),
      salt: wordHexAt(data, 2),
      tokenName: textAt(data, 3, longestName),
      symbol: textAt(data, 4, longestName),
    }),
  }),
  handle(page, event) {
    const { at } = event;
    const platformId = platformIdOf(event.token, event.homeEid);
    page.rows.remote_token.add(at.block, {
      eid: page.chain.eid,
      address: event.token,
      home_eid: event.homeEid,
      token_id: tokenIdOf(platformId),
      platform_id: platformId,
      creator: event.creator,
      salt: event.salt,
      name: event.tokenName,
      symbol: event.symbol,
      registered_at: at.time,
      block_number: at.block,
      log_index: at.logIndex,
      tx_hash: at.txHash,
      supply: 0n,
      holders: 0,
    });
  },
});
