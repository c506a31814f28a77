import { z } from 'zod';
import { checkTokenOwnership } from './checkTokenOwnership.ts';
import { checkUsername } from './checkUsername.ts';
import { getHub } from './getHub.ts';
import { getHubMembers } from './getHubMembers.ts';
import { getHubs } from './getHubs.ts';
import { getLeaderboard, getLeaderboardInfo, leaderboardInInfo } from './getLeaderboard.ts';
import { getNotifications } from './getNotifications.ts';
import { getPoolData } from './getPoolData.ts';
import { getPost } from './getPost.ts';
import { getPosts } from './getPosts.ts';
import { getTokenAbout } from './getTokenAbout.ts';
import { getTokenActivity } from './getTokenActivity.ts';
import { getTokenCandles } from './getTokenCandles.ts';
import { getTokenStats } from './getTokenStats.ts';
import { getTokensV2 } from './getTokensV2.ts';
import { getTokenTrades } from './getTokenTrades.ts';
import { getTokenTransfers } from './getTokenTransfers.ts';
import { getUser } from './getUser.ts';
import { getUserBalance } from './getUserBalance.ts';
import { feeHistoryInInfo, getUserFeeHistory, getUserFeeHistoryInfo } from './getUserFeeHistory.ts';
import { feesInInfo, getUserFees, getUserFeesInfo } from './getUserFees.ts';
import { getUserPortfolio } from './getUserPortfolio.ts';
import { getUserTokens } from './getUserTokens.ts';
import { getVotes } from './getVotes.ts';
import { me } from './me.ts';
import type { Operation, OperationAccess } from './operation.ts';
import { quoteToken } from './quoteToken.ts';
import { searchToken } from './searchToken.ts';

/** The keys of a schema are only known to types when they are spelled out. */
type WithType<Name extends string, Schema extends z.ZodObject> = z.ZodObject<
  z.core.util.Extend<Schema['shape'], { type: z.ZodLiteral<Name> }>,
  Schema['_zod']['config']
>;
const withType = <Name extends string, Schema extends z.ZodObject>(name: Name, schema: Schema) =>
  schema.extend({ type: z.literal(name).meta({ description: 'Which read.' }) }) as WithType<Name, Schema>;

/** A read in a form of its own: `view` makes the answer of what the operation's handler found. */
const infoView = <
  Name extends string,
  Input extends z.ZodObject,
  Access extends OperationAccess,
  Facts,
  Answer extends z.ZodObject,
>(
  operation: Operation<Input, z.ZodObject, Name, Access, Facts>,
  answer: Answer,
  view: Operation<z.ZodObject, Answer, Name, Access, Facts>['view'],
) => {
  const id = `Info${operation.name.charAt(0).toUpperCase()}${operation.name.slice(1)}`;
  return {
    operation,
    view,
    /** Without `type`. */
    answer,
    input: withType(operation.name, operation.input).meta({ id, description: operation.summary }),
    output: withType(operation.name, answer).meta({ id: `${id}Answer` }),
  };
};

/** A read as it is: input and answer of the operation of that name, each with the `type` beside. */
const infoType = <
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  Access extends OperationAccess,
  Facts,
>(
  operation: Operation<Input, Output, Name, Access, Facts>,
) => infoView(operation, operation.output, operation.view);

/** What `/info` answers, by `type`; the order is that of the docs. Source: wire contract, sections 6 and 7. */
export const infoTypes = {
  getTokensV2: infoType(getTokensV2),
  quoteToken: infoType(quoteToken),
  me: infoType(me),
  getPoolData: infoType(getPoolData),
  getUserBalance: infoType(getUserBalance),
  searchToken: infoType(searchToken),
  checkTokenOwnership: infoType(checkTokenOwnership),
  getUserFees: infoView(getUserFees, getUserFeesInfo, feesInInfo),
  getUserFeeHistory: infoView(getUserFeeHistory, getUserFeeHistoryInfo, feeHistoryInInfo),
  getLeaderboard: infoView(getLeaderboard, getLeaderboardInfo, leaderboardInInfo),
  getUserPortfolio: infoType(getUserPortfolio),
  getTokenTrades: infoType(getTokenTrades),
  getTokenTransfers: infoType(getTokenTransfers),
  getTokenActivity: infoType(getTokenActivity),
  getTokenCandles: infoType(getTokenCandles),
  getTokenStats: infoType(getTokenStats),
  getTokenAbout: infoType(getTokenAbout),
  getUser: infoType(getUser),
  checkUsername: infoType(checkUsername),
  getVotes: infoType(getVotes),
  getNotifications: infoType(getNotifications),
  getHub: infoType(getHub),
  getHubs: infoType(getHubs),
  getHubMembers: infoType(getHubMembers),
  getUserTokens: infoType(getUserTokens),
  getPosts: infoType(getPosts),
  getPost: infoType(getPost),
} as const;

export type InfoTypes = typeof infoTypes;
export type InfoTypeName = keyof InfoTypes;
