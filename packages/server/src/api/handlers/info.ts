import type { InfoTypeName, InfoTypes } from '@mintage/protocol/operations';
import { infoTypes } from '@mintage/protocol/operations';
import type { z } from 'zod';
import { requireAccess } from '../accounts/requireAccess.ts';
import { checkTokenOwnership } from './checkTokenOwnership.ts';
import type { Call, CallOf, Context, HandlerOf } from './context.ts';
import { getPoolData } from './getPoolData.ts';
import { getTokenAbout } from './getTokenAbout.ts';
import { getTokenActivity } from './getTokenActivity.ts';
import { getTokenCandles } from './getTokenCandles.ts';
import { getTokenStats } from './getTokenStats.ts';
import { getTokensV2 } from './getTokensV2.ts';
import { getTokenTrades } from './getTokenTrades.ts';
import { getTokenTransfers } from './getTokenTransfers.ts';
import { getUserBalance } from './getUserBalance.ts';
import { getUserPortfolio } from './getUserPortfolio.ts';
import { getLeaderboard } from './info/getLeaderboard.ts';
import { getUserFeeHistory } from './info/getUserFeeHistory.ts';
import { getUserFees } from './info/getUserFees.ts';
import { me } from './me.ts';
import { quoteToken } from './quoteToken.ts';
import { searchToken } from './searchToken.ts';

export type InfoAnswerer<Type extends InfoTypeName> = (
  context: Context,
  input: z.output<InfoTypes[Type]['operation']['input']>,
  call: CallOf<InfoTypes[Type]['operation']>,
) => Promise<z.output<InfoTypes[Type]['answer']>>;

/** Who answers a type: the handler of the operation, or, where `/info` has its own form, one of `../info/`. */
const answerers: { readonly [Type in InfoTypeName]: InfoAnswerer<Type> } = {
  quoteToken,
  me,
  getPoolData,
  getUserBalance,
  searchToken,
  checkTokenOwnership,
  getUserFees,
  getUserFeeHistory,
  getLeaderboard,
  getUserPortfolio,
  getTokenAbout,
  getTokenActivity,
  getTokenCandles,
  getTokenStats,
  getTokenTrades,
  getTokenTransfers,
  getTokensV2,
};

/** `answerers` has for each type one of that type's own input; a look-up cannot say so in types. */
type AnyAnswerer = (context: Context, input: unknown, call: Call) => Promise<object>;

export const info: HandlerOf<'info'> = async (context, input, call) => {
  const { type } = input;
  await requireAccess(context, infoTypes[type].operation, call.caller);
  const answer = await (answerers[type] as unknown as AnyAnswerer)(context, input, call);
  return { type, ...answer } as z.output<InfoTypes[typeof type]['output']>;
};
