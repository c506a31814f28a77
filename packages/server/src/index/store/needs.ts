import { creditedFees, distributionTypes } from '@mintage/protocol';
import type { ChainEvent } from '../events/events.ts';
import type { Hex } from '../events/log.ts';
import { bucketOf, candleSeconds } from './aggregates/candles.ts';
import type { Page } from './page.ts';

/** Names the rows that events may touch, so that they are loaded in one query per table. */

/** @param pools - With the pools that these events open. */
export const needTokens = (page: Page, events: readonly ChainEvent[], pools: ReadonlyMap<Hex, Hex>): void => {
  const { chainId } = page.chain;
  for (const event of events) {
    const token =
      'token' in event ? event.token : event.name === 'ProtocolFeeUpdated' ? pools.get(event.poolId) : undefined;
    if (token !== undefined) page.tokens.need(chainId, token);
  }
};

/** Everything else; the tokens are there already, because a trade pays the creator, whom only the token's row names. */
export const needRest = (page: Page, events: readonly ChainEvent[]): void => {
  const { chainId } = page.chain;
  const needPayee = (recipient: Hex, distributionType: number): void => {
    page.feeBalances.need(chainId, recipient, page.chain.usd);
    page.feeSums.need(chainId, recipient, distributionType);
  };
  const needCreator = (token: Hex): void => {
    const creator = page.tokens.find(chainId, token)?.creator;
    if (creator !== undefined) needPayee(creator, distributionTypes.creator);
  };
  if (page.treasury !== null) needPayee(page.treasury, distributionTypes.treasury);
  for (const event of events) {
    switch (event.name) {
      case 'TokenCreated':
        needPayee(event.creator, distributionTypes.creator);
        break;
      case 'Trade':
        page.balances.need(chainId, event.token, event.trader);
        if (!event.foreignRouter) page.traders.need(chainId, event.trader);
        for (const seconds of candleSeconds) {
          page.candles.need(chainId, event.token, seconds, bucketOf(event.at.time, seconds));
        }
        for (const { recipient, words } of creditedFees) {
          if (recipient === 'creator') needCreator(event.token);
          else needPayee(event[recipient], words.distributionType);
        }
        break;
      case 'Transfer':
        page.balances.need(chainId, event.token, event.from);
        page.balances.need(chainId, event.token, event.to);
        break;
      case 'Graduated':
        needCreator(event.token);
        break;
      case 'ReferrerSet':
        page.referrers.need(chainId, event.user);
        break;
      case 'TreasuryCollected':
        needPayee(event.treasury, distributionTypes.treasury);
        break;
      case 'SettingChanged':
        needPayee(event.value, distributionTypes.treasury);
        break;
      case 'Withdrawn':
        page.feeBalances.need(chainId, event.account, event.currency);
        break;
    }
  }
};
