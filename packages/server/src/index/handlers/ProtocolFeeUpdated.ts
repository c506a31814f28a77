import type { ProtocolFeeUpdated } from '../events/events.ts';
import type { Page } from '../store/page.ts';

/** Pools that are not ours are none of our business. */
export const handleProtocolFeeUpdated = (page: Page, { at, poolId, protocolFee }: ProtocolFeeUpdated): void => {
  const token = page.pools.get(poolId);
  if (token !== undefined) page.token(at, token).protocol_fee = protocolFee;
};
