import { distributionTypes } from '@mintage/protocol';
import type { Graduated } from '../events/events.ts';
import { activity, bookCredits } from '../store/aggregates/fees.ts';
import type { Page } from '../store/page.ts';

/** The curve's floor moves into the pool; the creator's reward and the dust are credited by this event alone. */
export const handleGraduated = (page: Page, event: Graduated): void => {
  const { at, graduation } = event;
  const token = page.token(at, event.token);
  token.graduated_at = at.time;
  token.stage = 'graduated';
  token.graduation = { txHash: at.txHash, blockNumber: at.block, logIndex: at.logIndex, ...graduation };
  token.pool_id = event.poolId;
  token.sqrt_price_x96 = BigInt(graduation.sqrtPriceX96);
  token.liquidity = BigInt(graduation.fullRange.liquidity); // the floor lies below the opening price
  token.tick = graduation.tick;
  token.floor_usd = 0n;
  page.pools.set(event.poolId, event.token);

  const reward = BigInt(graduation.creatorReward);
  const dust = BigInt(graduation.dustUsd);
  if (dust > 0n && page.treasury === null) throw new Error('a graduation left dust before a treasury was set');
  const shared = { activityId: activity.graduation, token: event.token };
  bookCredits(page, at, [
    { ...shared, recipient: token.creator, amount: reward, distributionType: distributionTypes.creator },
    { ...shared, recipient: page.treasury ?? '0x', amount: dust, distributionType: distributionTypes.treasury },
  ]);
};
