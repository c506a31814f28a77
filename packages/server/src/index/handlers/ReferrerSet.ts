import { isNobody, launchpadAbi } from '@mintage/protocol';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { topicAddress } from '../events/evm/words.ts';
import { solanaEvent } from '../events/solana/solanaEvent.ts';
import { eventKind } from './event.ts';

/** Set once by a voucher; the Launchpad's owner can clear it, after which another one may be set. */
export const ReferrerSet = eventKind('ReferrerSet', {
  evm: evmEvent(launchpadAbi, 'ReferrerSet', {
    emitter: 'launchpad',
    decode: ({ topics }) => ({
      user: topicAddress(topics, 1),
      /** Nobody when the owner of the Launchpad cleared it. */
      referrer: topicAddress(topics, 2),
    }),
  }),
  solana: solanaEvent('ReferrerSet', ({ user, referrer }) => ({ user, referrer })),
  needs(page, { user }) {
    page.rows.referrer.need(user);
  },
  handle(page, { at, user, referrer }) {
    const { eid } = page.chain;
    const now = { referrer: isNobody(referrer) ? null : referrer, block_number: at.block, time: at.time };
    const row = page.rows.referrer.change(at.block, user);
    if (row === undefined) page.rows.referrer.add(at.block, { eid, trader: user, ...now });
    else Object.assign(row, now);
  },
});
