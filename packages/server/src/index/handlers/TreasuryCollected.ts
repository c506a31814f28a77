import { distributionTypes, launchpadAbi } from '@mintage/protocol';
import { activity, bookCredits, needPayee } from '../aggregates/fees.ts';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { topicAddress, uintAt } from '../events/evm/words.ts';
import { solanaEvent } from '../events/solana/solanaEvent.ts';
import { eventKind } from './event.ts';

/**
 * The token's share becomes a credit of the treasury. When a trade overflows the share, this event comes before the
 * trade's own and already includes the trade's part, so the share is negative for that moment.
 */
export const TreasuryCollected = eventKind('TreasuryCollected', {
  evm: evmEvent(launchpadAbi, 'TreasuryCollected', {
    emitter: 'launchpad',
    decode: ({ topics, data }) => ({
      token: topicAddress(topics, 1),
      treasury: topicAddress(topics, 2),
      amount: uintAt(data, 0),
    }),
  }),
  solana: solanaEvent('TreasuryCollected', ({ mint, treasury, amount }) => ({ token: mint, treasury, amount })),
  needs(page, { treasury }) {
    needPayee(page, treasury, distributionTypes.treasury);
  },
  handle(page, { at, token, treasury, amount }) {
    page.token(at, token).treasury_share -= amount;
    const kind = { distributionType: distributionTypes.treasury, activityId: activity.treasuryCollection };
    bookCredits(page, at, [{ recipient: treasury, amount, token, ...kind }]);
  },
});
