import { definitions } from '@mintage/protocol/operations';
import { newestTransfers, transferRecord } from '../reads/tokenEvents.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import { handler } from './handler.ts';

export const getTokenTransfers = handler(
  definitions.getTokenTransfers,
  async (context, { token_id: tokenRef, ...page }) => {
    const { token, served } = await requireServedToken(context, tokenRef);
    const transfers = await newestTransfers(context.db, token, page);
    return { success: true, activities: transfers.map((transfer) => transferRecord(context, served, token, transfer)) };
  },
);
