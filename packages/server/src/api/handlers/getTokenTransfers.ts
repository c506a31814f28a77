import { newestTransfers, transferRecord } from '../reads/tokenEvents.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import type { HandlerOf } from './context.ts';

export const getTokenTransfers: HandlerOf<'getTokenTransfers'> = async (context, { token_id: tokenRef, ...page }) => {
  const { token, served } = await requireServedToken(context, tokenRef);
  const transfers = await newestTransfers(context.db, token, page);
  return { success: true, activities: transfers.map((transfer) => transferRecord(context, served, token, transfer)) };
};
