import { definitions } from '@mintage/protocol/operations';
import { listTokens, type TokenOrder } from '../reads/listTokens.ts';
import { searchWarnings } from '../reads/searchPage.ts';
import { tokenRecords } from '../reads/tokenRecords.ts';
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
  const { listed, hasMore, isWhole } = await listTokens(
    context,
    { hashtags, keyword, chains, builder, stage, ids, verifiedOnly },
    { order, ascending: input.order_direction === 'ASC' },
    { limit, offset },
  );
  const tokens = await tokenRecords(context, listed);
  return {
    success: true,
    tokens,
    pagination: { limit, offset, total_returned: tokens.length, has_more: hasMore },
    ...searchWarnings(isWhole),
  };
});
