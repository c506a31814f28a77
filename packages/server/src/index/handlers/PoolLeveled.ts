import { launchpadAbi } from '@mintage/protocol';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { topicAddress, uintAt } from '../events/evm/words.ts';
import { eventKind } from './event.ts';

/** Before a graduation tokens of the pool were sold into a stranger's bids; their dollars are kept for the floor. */
export const PoolLeveled = eventKind('PoolLeveled', {
  evm: evmEvent(launchpadAbi, 'PoolLeveled', {
    emitter: 'launchpad',
    decode: ({ topics, data }) => ({ token: topicAddress(topics, 1), usdGained: uintAt(data, 1) }),
  }),
  handle(page, { at, token, usdGained }) {
    page.token(at, token).floor_usd += usdGained;
  },
});
