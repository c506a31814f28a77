import { definitions } from '@mintage/protocol/operations';
import { listTokens, showTokens, type TokenOrder } from '../reads/listTokens.ts';
import { tokenRecord, windowFigures } from '../reads/tokenRecord.ts';
import { readWindows } from '../reads/windows.ts';
import { handler } from './handler.ts';

const orderOfStage = { new: 'created_at', graduating: 'progress', graduated: 'graduated_at' } as const;

export const getTokensV2 = handler(definitions.getTokensV2, async (context, input) => {
  const {
    hashtags,
    keyword,
    chains,
    builder_code: builder,
    stage,
    token_ids: ids,
    verified_only: verifiedOnly,
    limit,
    offset,
  } = input;
  const order: TokenOrder = input.order_by ?? (stage === undefined ? 'created_at' : orderOfStage[stage]);
  const { listed, hasMore } = await listTokens(
    context,
    { hashtags, keyword, chains, builder, stage, ids, verifiedOnly },
    { order, ascending: input.order_direction === 'ASC' },
    { limit, offset },
  );
  const [tokens, windowsOf] = await Promise.all([
    showTokens(context.db, listed),
    readWindows(context.db, listed, windowFigures),
  ]);
  return {
    success: true,
    tokens: tokens.map((token) => tokenRecord(context, token, windowsOf({ eid: token.eid, token: token.address }))),
    pagination: { limit, offset, total_returned: tokens.length, has_more: hasMore },
  };
});
