import type { OperationName } from '@mintage/protocol/operations';
import { authChallenge } from './authChallenge.ts';
import { authLogin } from './authLogin.ts';
import { authLogout } from './authLogout.ts';
import { authRefresh } from './authRefresh.ts';
import { chains } from './chains.ts';
import { checkTokenOwnership } from './checkTokenOwnership.ts';
import { claimRewards } from './claimRewards.ts';
import type { HandlerOf } from './context.ts';
import { createApiKey } from './createApiKey.ts';
import { createReferralCode } from './createReferralCode.ts';
import { createTokenTransaction } from './createTokenTransaction.ts';
import { createWebhook } from './createWebhook.ts';
import { deleteWebhook } from './deleteWebhook.ts';
import { docs } from './docs.ts';
import { docsScript } from './docsScript.ts';
import { enterReferralCode } from './enterReferralCode.ts';
import { getLeaderboard } from './getLeaderboard.ts';
import { getPoolData } from './getPoolData.ts';
import { getTokenAbout } from './getTokenAbout.ts';
import { getTokenActivity } from './getTokenActivity.ts';
import { getTokenCandles } from './getTokenCandles.ts';
import { getTokenHolders } from './getTokenHolders.ts';
import { getTokenStats } from './getTokenStats.ts';
import { getTokens } from './getTokens.ts';
import { getTokensV2 } from './getTokensV2.ts';
import { getTokenTrades } from './getTokenTrades.ts';
import { getTokenTransfers } from './getTokenTransfers.ts';
import { getUserBalance } from './getUserBalance.ts';
import { getUserFeeHistory } from './getUserFeeHistory.ts';
import { getUserFees } from './getUserFees.ts';
import { getUserPnl } from './getUserPnl.ts';
import { getUserPortfolio } from './getUserPortfolio.ts';
import { getWalletTrades } from './getWalletTrades.ts';
import { health } from './health.ts';
import { info } from './info.ts';
import { ipfs } from './ipfs.ts';
import { jwks } from './jwks.ts';
import { listApiKeys } from './listApiKeys.ts';
import { listGrants } from './listGrants.ts';
import { listWebhookDeliveries } from './listWebhookDeliveries.ts';
import { listWebhooks } from './listWebhooks.ts';
import { llms } from './llms.ts';
import { me } from './me.ts';
import { metrics } from './metrics.ts';
import { mintUsd } from './mintUsd.ts';
import { openapi } from './openapi.ts';
import { pauseExecution } from './pauseExecution.ts';
import { platformAction } from './platformAction.ts';
import { quoteToken } from './quoteToken.ts';
import { ready } from './ready.ts';
import { redeliverWebhook } from './redeliverWebhook.ts';
import { resumeExecution } from './resumeExecution.ts';
import { revokeApiKey } from './revokeApiKey.ts';
import { revokeGrant } from './revokeGrant.ts';
import { rotateWebhookSecret } from './rotateWebhookSecret.ts';
import { searchToken } from './searchToken.ts';
import { sendTransaction } from './sendTransaction.ts';
import { solvency } from './solvency.ts';
import { stream } from './stream.ts';
import { tradeToken } from './tradeToken.ts';
import { transactionStatus } from './transactionStatus.ts';
import { transferToken } from './transferToken.ts';
import { ws } from './ws.ts';

/** The handler of each operation. Types fail when an operation has none, or a handler no operation. */
export const handlers: { readonly [Name in OperationName]: HandlerOf<Name> } = {
  health,
  authChallenge,
  authLogin,
  authRefresh,
  authLogout,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  listGrants,
  revokeGrant,
  jwks,
  me,
  getUserFees,
  getUserFeeHistory,
  getUserPortfolio,
  getUserPnl,
  getUserBalance,
  getLeaderboard,
  createReferralCode,
  enterReferralCode,
  getTokensV2,
  getTokens,
  searchToken,
  getTokenAbout,
  getTokenStats,
  getTokenCandles,
  getTokenTrades,
  getTokenTransfers,
  getTokenActivity,
  getTokenHolders,
  getWalletTrades,
  checkTokenOwnership,
  info,
  ws,
  stream,
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  rotateWebhookSecret,
  mintUsd,
  chains,
  solvency,
  ready,
  metrics,
  ipfs,
  openapi,
  docs,
  docsScript,
  llms,
  claimRewards,
  pauseExecution,
  resumeExecution,
  createTokenTransaction,
  getPoolData,
  quoteToken,
  tradeToken,
  sendTransaction,
  transactionStatus,
  transferToken,
  platformAction,
};
