import type { z } from 'zod';
import { authChallenge } from './authChallenge.ts';
import { authLogin } from './authLogin.ts';
import { authLogout } from './authLogout.ts';
import { authRefresh } from './authRefresh.ts';
import { avatar } from './avatar.ts';
import { banFromHub } from './banFromHub.ts';
import { blockUser } from './blockUser.ts';
import { chains } from './chains.ts';
import { checkTokenOwnership } from './checkTokenOwnership.ts';
import { checkUsername } from './checkUsername.ts';
import { claimRewards } from './claimRewards.ts';
import { createApiKey } from './createApiKey.ts';
import { createHubInvite } from './createHubInvite.ts';
import { createPost } from './createPost.ts';
import { createReferralCode } from './createReferralCode.ts';
import { createTokenTransaction } from './createTokenTransaction.ts';
import { createWebhook } from './createWebhook.ts';
import { deletePost } from './deletePost.ts';
import { deleteWebhook } from './deleteWebhook.ts';
import { docs } from './docs.ts';
import { endOtherSessions } from './endOtherSessions.ts';
import { endSession } from './endSession.ts';
import { enterReferralCode } from './enterReferralCode.ts';
import { followUser } from './followUser.ts';
import { freezeAccount } from './freezeAccount.ts';
import { getBlocked } from './getBlocked.ts';
import { getFollowers } from './getFollowers.ts';
import { getFollowing } from './getFollowing.ts';
import { getHub } from './getHub.ts';
import { getHubMembers } from './getHubMembers.ts';
import { getHubs } from './getHubs.ts';
import { getLeaderboard } from './getLeaderboard.ts';
import { getMarketSummary } from './getMarketSummary.ts';
import { getModerationLog } from './getModerationLog.ts';
import { getNotifications } from './getNotifications.ts';
import { getPoolData } from './getPoolData.ts';
import { getPost } from './getPost.ts';
import { getPosts } from './getPosts.ts';
import { getReferralCode } from './getReferralCode.ts';
import { getReports } from './getReports.ts';
import { getSparklines } from './getSparklines.ts';
import { getTokenAbout } from './getTokenAbout.ts';
import { getTokenActivity } from './getTokenActivity.ts';
import { getTokenCandles } from './getTokenCandles.ts';
import { getTokenFacts } from './getTokenFacts.ts';
import { getTokenHolders } from './getTokenHolders.ts';
import { getTokenStats } from './getTokenStats.ts';
import { getTokens } from './getTokens.ts';
import { getTokensV2 } from './getTokensV2.ts';
import { getTokenTrades } from './getTokenTrades.ts';
import { getTokenTransfers } from './getTokenTransfers.ts';
import { getTransaction } from './getTransaction.ts';
import { getUser } from './getUser.ts';
import { getUserBalance } from './getUserBalance.ts';
import { getUserClaims } from './getUserClaims.ts';
import { getUserFeeHistory } from './getUserFeeHistory.ts';
import { getUserFees } from './getUserFees.ts';
import { getUserPnl } from './getUserPnl.ts';
import { getUserPortfolio } from './getUserPortfolio.ts';
import { getUserTokens } from './getUserTokens.ts';
import { getVotes } from './getVotes.ts';
import { getWalletTrades } from './getWalletTrades.ts';
import { health } from './health.ts';
import { hidePost } from './hidePost.ts';
import { info } from './info.ts';
import { ipfs } from './ipfs.ts';
import { joinHub } from './joinHub.ts';
import { jwks } from './jwks.ts';
import { leaveHub } from './leaveHub.ts';
import { linkWallet } from './linkWallet.ts';
import { linkWalletChallenge } from './linkWalletChallenge.ts';
import { listApiKeys } from './listApiKeys.ts';
import { listGrants } from './listGrants.ts';
import { listPasskeys } from './listPasskeys.ts';
import { listSessions } from './listSessions.ts';
import { listWebhookDeliveries } from './listWebhookDeliveries.ts';
import { listWebhooks } from './listWebhooks.ts';
import { llms } from './llms.ts';
import { markNotificationsRead } from './markNotificationsRead.ts';
import { me } from './me.ts';
import { metrics } from './metrics.ts';
import { mintUsd } from './mintUsd.ts';
import { notificationSettings } from './notificationSettings.ts';
import { og } from './og.ts';
import { openapi } from './openapi.ts';
import type { Operation } from './operation.ts';
import { passkeyLogin } from './passkeyLogin.ts';
import { passkeyLoginOptions } from './passkeyLoginOptions.ts';
import { passkeyRegister } from './passkeyRegister.ts';
import { passkeyRegisterOptions } from './passkeyRegisterOptions.ts';
import { pauseExecution } from './pauseExecution.ts';
import { pinPost } from './pinPost.ts';
import { platformAction } from './platformAction.ts';
import { quoteToken } from './quoteToken.ts';
import { ready } from './ready.ts';
import { redeliverWebhook } from './redeliverWebhook.ts';
import { registerToken } from './registerToken.ts';
import { removePasskey } from './removePasskey.ts';
import { reportPost } from './reportPost.ts';
import { resolveReports } from './resolveReports.ts';
import { resumeExecution } from './resumeExecution.ts';
import { revokeApiKey } from './revokeApiKey.ts';
import { revokeGrant } from './revokeGrant.ts';
import { rotateWebhookSecret } from './rotateWebhookSecret.ts';
import { searchToken } from './searchToken.ts';
import { sendTransaction } from './sendTransaction.ts';
import { setHubRole } from './setHubRole.ts';
import { solvency } from './solvency.ts';
import { stream } from './stream.ts';
import { subscribePush } from './subscribePush.ts';
import { suspendUser } from './suspendUser.ts';
import { takeDownToken } from './takeDownToken.ts';
import { tradeToken } from './tradeToken.ts';
import { transactionStatus } from './transactionStatus.ts';
import { transferToken } from './transferToken.ts';
import { unbanFromHub } from './unbanFromHub.ts';
import { unblockUser } from './unblockUser.ts';
import { unfollowUser } from './unfollowUser.ts';
import { unlinkWallet } from './unlinkWallet.ts';
import { unsubscribePush } from './unsubscribePush.ts';
import { updateHub } from './updateHub.ts';
import { updateUser } from './updateUser.ts';
import { uploadMedia } from './uploadMedia.ts';
import { vote } from './vote.ts';
import { ws } from './ws.ts';

export type { Budget, BudgetInput } from '../schemas/apiKeyParts.ts';
export type { Acknowledge } from '../schemas/executionParts.ts';
export { activityNames, activityWords, type FeeKind, feeWords } from '../schemas/feeTable.ts';
export type { Hub, HubMember } from '../schemas/hubs.ts';
export type { ModerationAction, ReportedPost, ReportReason } from '../schemas/moderation.ts';
export type { Notification } from '../schemas/notifications.ts';
export { NotificationType, notificationTypes } from '../schemas/notifications.ts';
export { totalPage } from '../schemas/paging.ts';
export { CreatedPasskey, UsedPasskey } from '../schemas/passkeyParts.ts';
export { type UserCard, Username, type UserProfile } from '../schemas/people.ts';
export { platformIdKeys, platformIdKeysCamel } from '../schemas/platformId.ts';
export type { Post, PostEntity, PostedMedia, VoteCount } from '../schemas/posts.ts';
export type * from '../schemas/prepared.ts';
export type * from '../schemas/quoteParts.ts';
export { Uuid } from '../schemas/scalars.ts';
export { StreamChange, StreamMessage } from '../schemas/streamMessages.ts';
export { StreamFilter, StreamTopic, Subscription } from '../schemas/subscription.ts';
export type { TokenCard } from '../schemas/tokenCard.ts';
export { type ActionTypeName, type ActionTypes, actionInputOf, actionTypes } from './actionTypes.ts';
export { hubOrders } from './getHubs.ts';
export { sparklineSeconds, sparklineSteps } from './getSparklines.ts';
export { candleSeconds } from './getTokenCandles.ts';
export { type StatsWindow, type StatsWindowKey, statsWindows } from './getTokenStats.ts';
export { tokenOrders } from './getTokensV2.ts';
export type { FeeCredit, FeeCredits } from './getUserFeeHistory.ts';
export type { FeeSource, UserFees, WalletFees } from './getUserFees.ts';
export { type InfoTypeName, type InfoTypes, infoTypes } from './infoTypes.ts';
export { type PlatformActionInput, RegisterAction } from './platformAction.ts';
export type { Delivery, KeyedIntent } from './transactionStatus.ts';

/**
 * Every operation of the service by its name. Order is the order of the docs. Each has a handler in the file of its name in
 * `server/src/api/handlers/`; the build fails when one lacks the other.
 */
export const definitions = {
  authChallenge,
  authLogin,
  passkeyRegisterOptions,
  passkeyRegister,
  passkeyLoginOptions,
  passkeyLogin,
  authRefresh,
  authLogout,
  listSessions,
  endSession,
  endOtherSessions,
  listPasskeys,
  removePasskey,
  linkWalletChallenge,
  linkWallet,
  unlinkWallet,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  listGrants,
  revokeGrant,
  jwks,
  createTokenTransaction,
  tradeToken,
  sendTransaction,
  transactionStatus,
  getTransaction,
  transferToken,
  registerToken,
  quoteToken,
  getPoolData,
  claimRewards,
  pauseExecution,
  resumeExecution,
  me,
  getUserFees,
  getUserFeeHistory,
  getUserClaims,
  getUserPortfolio,
  getUserPnl,
  getUserBalance,
  getLeaderboard,
  createReferralCode,
  getReferralCode,
  enterReferralCode,
  getTokensV2,
  getTokens,
  getMarketSummary,
  getSparklines,
  searchToken,
  getTokenAbout,
  getTokenStats,
  getTokenFacts,
  getTokenCandles,
  getTokenTrades,
  getTokenTransfers,
  getTokenActivity,
  getTokenHolders,
  getWalletTrades,
  checkTokenOwnership,
  getUser,
  updateUser,
  checkUsername,
  getHub,
  getHubs,
  updateHub,
  joinHub,
  leaveHub,
  createHubInvite,
  getHubMembers,
  setHubRole,
  banFromHub,
  unbanFromHub,
  pinPost,
  followUser,
  unfollowUser,
  getFollowers,
  getFollowing,
  blockUser,
  unblockUser,
  getBlocked,
  getUserTokens,
  avatar,
  vote,
  getVotes,
  uploadMedia,
  createPost,
  getPosts,
  getPost,
  deletePost,
  reportPost,
  getNotifications,
  markNotificationsRead,
  notificationSettings,
  subscribePush,
  unsubscribePush,
  getReports,
  resolveReports,
  hidePost,
  suspendUser,
  freezeAccount,
  takeDownToken,
  getModerationLog,
  platformAction,
  info,
  ws,
  stream,
  createWebhook,
  listWebhooks,
  deleteWebhook,
  rotateWebhookSecret,
  listWebhookDeliveries,
  redeliverWebhook,
  mintUsd,
  chains,
  solvency,
  health,
  ready,
  metrics,
  ipfs,
  og,
  openapi,
  docs,
  llms,
} as const satisfies Record<string, Operation>;

export type Definitions = typeof definitions;
export type OperationName = keyof Definitions;
/** What a call of the operation with this name takes, once its schema has read it. */
export type InputOf<Name extends OperationName> = z.output<Definitions[Name]['input']>;
/** What it answers. */
export type AnswerOf<Name extends OperationName> = z.output<Definitions[Name]['output']>;

export type Operations = readonly Definitions[OperationName][];
export const operations: Operations = Object.values(definitions);
