import type { ReferrerSet } from '../events/events.ts';
import type { Page } from '../store/page.ts';

/** By a voucher, once; the owner of the Launchpad can clear it, and then another may come. */
export const handleReferrerSet = (page: Page, { at, user, referrer }: ReferrerSet): void => {
  const { chainId } = page.chain;
  const now = { referrer: BigInt(referrer) === 0n ? null : referrer, block_number: at.block, time: at.time };
  const row = page.referrers.change(at.block, chainId, user);
  if (row === undefined) page.referrers.add(at.block, { chain_id: chainId, trader: user, ...now });
  else Object.assign(row, now);
};
