import { newestTrades, tradeRecord } from '../reads/tokenEvents.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import type { HandlerOf } from './context.ts';

export const getTokenTrades: HandlerOf<'getTokenTrades'> = async (context, { token_id: tokenRef, ...page }) => {
  const { token, served } = await requireServedToken(context, tokenRef);
  const trades = await newestTrades(context.db, token, page);
  return { success: true, activities: trades.map((trade) => tradeRecord(context, served, token, trade)) };
};
