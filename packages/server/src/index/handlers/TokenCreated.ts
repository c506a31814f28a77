import { curveOf, distributionTypes, launchpadAbi, platformIdOf, priceUsd18Down, tokenIdOf } from '@mintage/protocol';
import { needPayee } from '../aggregates/fees.ts';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { numberAt, textAt, topicAddress, uintAt, wordHexAt } from '../events/evm/words.ts';
import { solanaEvent } from '../events/solana/solanaEvent.ts';
import { storable } from '../events/storable.ts';
import { type EventOf, eventKind } from './event.ts';

export const longestName = 256;
const longestUri = 2048;

export const TokenCreated = eventKind('TokenCreated', {
  evm: evmEvent(launchpadAbi, 'TokenCreated', {
    emitter: 'launchpad',
    decode: ({ topics, data }) => ({
      token: topicAddress(topics, 1),
      creator: topicAddress(topics, 2),
      poolType: numberAt(data, 0),
      virtualTokens: uintAt(data, 1),
      virtualUsd: uintAt(data, 2),
      salt: wordHexAt(data, 3),
      // word 4, `created`, is the time of the block
      tokenName: textAt(data, 5, longestName),
      symbol: textAt(data, 6, longestName),
      uri: textAt(data, 7, longestUri),
    }),
  }),
  solana: solanaEvent('TokenCreated', ({ mint, creator, poolType, salt, name, symbol, uri }, around) => {
    const { virtualTokens, virtualUsd } = curveOf(around.poolTypeOf(mint), around.decimals);
    return {
      token: mint,
      creator,
      poolType,
      virtualTokens,
      virtualUsd,
      salt,
      tokenName: storable(name),
      symbol: storable(symbol),
      uri: storable(uri),
    };
  }),
  needs(page, { creator }) {
    needPayee(page, creator, distributionTypes.creator);
  },
  handle(page, event) {
    const { at } = event;
    const platformId = platformIdOf(event.token, page.chain.eid);
    const startPrice = priceUsd18Down({ usd: event.virtualUsd, tokens: event.virtualTokens }, page.chain.decimals);
    page.rows.token.add(at.block, {
      eid: page.chain.eid,
      address: event.token,
      token_id: tokenIdOf(platformId),
      platform_id: platformId,
      creator: event.creator,
      pool_type: event.poolType,
      name: event.tokenName,
      symbol: event.symbol,
      uri: event.uri,
      salt: event.salt,
      created_at: at.time,
      block_number: at.block,
      log_index: at.logIndex,
      tx_hash: at.txHash,
      virtual_tokens: event.virtualTokens,
      virtual_usd: event.virtualUsd,
      floor_usd: 0n,
      completed: false,
      graduated_at: null,
      graduation: null,
      pool_id: null,
      sqrt_price_x96: null,
      liquidity: null,
      tick: null,
      pool_tokens: null,
      pool_usd: null,
      protocol_fee: 0,
      treasury_share: 0n,
      trades: 0,
      volume_usd: 0n,
      holders: 0,
      last_trade_at: null,
      start_price_usd18: startPrice,
      price_usd18: startPrice,
      progress_pct18: 0n,
      stage: 'new',
      volume_tokens: 0n,
      volume_usd18: 0n,
    });
  },
});

export type TokenCreated = EventOf<typeof TokenCreated>;
