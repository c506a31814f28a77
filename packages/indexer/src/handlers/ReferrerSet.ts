import type { ReferrerSet } from '../events/events.ts';
import type { Page } from '../store/page.ts';

/** Set once for good, by the contract's own rule. */
export const handleReferrerSet = (page: Page, { at, user, referrer }: ReferrerSet): void => {
  const { chain_id, block_number, time } = page.writtenOnce(at);
  page.referrers.push({ chain_id, trader: user, referrer, block_number, time });
};
