import { distributionTypes } from '@mintage/protocol';
import type { TreasuryCollected } from '../events/events.ts';
import { activity, bookCredits } from '../store/aggregates/fees.ts';
import type { Page } from '../store/page.ts';

/**
 * The token's share becomes the treasury's credit. Where a trade overflows the share, this event comes before the trade's
 * own and includes its part, so the share is below zero for that moment.
 */
export const handleTreasuryCollected = (page: Page, { at, token, treasury, amount }: TreasuryCollected): void => {
  page.token(at, token).treasury_share -= amount;
  const kind = { distributionType: distributionTypes.treasury, activityId: activity.treasuryCollection };
  bookCredits(page, at, [{ recipient: treasury, amount, token, ...kind }]);
};
