import { definitions } from '@mintage/protocol/operations';
import { type ActivitySubtype, readActivityRows } from '../reads/tokenActivity.ts';
import { transferRecord } from '../reads/tokenEvents.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import { handler } from './handler.ts';

const wanted: ReadonlySet<ActivitySubtype> = new Set(['local', 'cross_chain_sent', 'cross_chain_received']);

export const getTokenTransfers = handler(
  definitions.getTokenTransfers,
  async (context, { token_id: tokenRef, ...page }) => {
    const { token } = await requireServedToken(context, tokenRef);
    const found = await readActivityRows(context, token, wanted, page);
    const activities = found.flatMap(({ served, source, row }) =>
      row === null || source === 'trade' ? [] : [transferRecord(context, served, token, row)],
    );
    return { success: true, activities };
  },
);
