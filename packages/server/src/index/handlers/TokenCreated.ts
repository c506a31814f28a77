import { platformIdOf, priceUsd18Down, tokenIdOf } from '@mintage/protocol';
import type { TokenCreated } from '../events/events.ts';
import type { Page } from '../store/page.ts';

export const handleTokenCreated = (page: Page, event: TokenCreated): void => {
  const { at } = event;
  const platformId = platformIdOf(event.token, page.chain.eid);
  const startPrice = priceUsd18Down({ usd: event.virtualUsd, tokens: event.virtualTokens }, page.chain.usdDecimals);
  page.tokens.add(at.block, {
    chain_id: page.chain.chainId,
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
};
