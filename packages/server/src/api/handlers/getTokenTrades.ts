import { definitions } from '@mintage/protocol/operations';
import { newestTrades, tradeRecord } from '../reads/tokenEvents.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import { handler } from './handler.ts';

export const getTokenTrades = handler(definitions.getTokenTrades, async (context, { token_id: tokenRef, ...page }) => {
  const { token, served } = await requireServedToken(context, tokenRef);
  const trades = await newestTrades(context.db, token, page);
  return { success: true, activities: trades.map((trade) => tradeRecord(context, served, token, trade)) };
});
