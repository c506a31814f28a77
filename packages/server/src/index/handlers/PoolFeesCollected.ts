import { distributionTypes, launchpadAbi } from '@mintage/protocol';
import { activity, bookCredits, needCreator, needTreasury } from '../aggregates/fees.ts';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { topicAddress, uintAt } from '../events/evm/words.ts';
import { eventKind } from './event.ts';

/**
 * What a token's locked liquidity earned on a v3 exchange, in dollars and in the token: half is the creator's, rounded down, the
 * rest the treasury's. Its dollars join its share of the token, its tokens are credited.
 */
export const PoolFeesCollected = eventKind('PoolFeesCollected', {
  evm: evmEvent(launchpadAbi, 'PoolFeesCollected', {
    emitter: 'launchpad',
    decode: ({ topics, data }) => ({ token: topicAddress(topics, 1), usd: uintAt(data, 0), tokens: uintAt(data, 1) }),
  }),
  needs(page, { token }) {
    needCreator(page, token);
    needCreator(page, token, token);
    needTreasury(page, token);
  },
  handle(page, { at, token: address, usd, tokens }) {
    const token = page.token(at, address);
    if (page.treasury === null) throw new Error('pool fees were collected before a treasury was set');
    token.treasury_share += usd - usd / 2n;
    const shared = { activityId: activity.poolFees, token: address };
    const toCreator = { ...shared, recipient: token.creator, distributionType: distributionTypes.creator };
    const toTreasury = { ...shared, recipient: page.treasury, distributionType: distributionTypes.treasury };
    bookCredits(page, at, [
      { ...toCreator, amount: usd / 2n },
      { ...toCreator, amount: tokens / 2n, currency: address },
      { ...toTreasury, amount: tokens - tokens / 2n, currency: address },
    ]);
  },
});
