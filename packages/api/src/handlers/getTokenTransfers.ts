import type { HandlerOf } from '../context.ts';
import { requireServedToken } from '../reads/servedToken.ts';
import { newestTransfers, transferRecord } from '../reads/tokenEvents.ts';

export const getTokenTransfers: HandlerOf<'getTokenTransfers'> = async (context, { token_id: tokenRef, ...page }) => {
  const { token, served } = await requireServedToken(context, tokenRef);
  const transfers = await newestTransfers(context.db, token, page);
  return { success: true, activities: transfers.map((transfer) => transferRecord(context, served, token, transfer)) };
};
