import type { Operation } from '../operation.ts';
import { authChallenge } from './authChallenge.ts';
import { authLogin } from './authLogin.ts';
import { authLogout } from './authLogout.ts';
import { authRefresh } from './authRefresh.ts';
import { chains } from './chains.ts';
import { claimRewards } from './claimRewards.ts';
import { createApiKey } from './createApiKey.ts';
import { createTokenTransaction } from './createTokenTransaction.ts';
import { docs } from './docs.ts';
import { docsScript } from './docsScript.ts';
import { getLeaderboard } from './getLeaderboard.ts';
import { getPoolData } from './getPoolData.ts';
import { getUserFeeHistory } from './getUserFeeHistory.ts';
import { getUserFees } from './getUserFees.ts';
import { getUserPortfolio } from './getUserPortfolio.ts';
import { health } from './health.ts';
import { ipfs } from './ipfs.ts';
import { jwks } from './jwks.ts';
import { listApiKeys } from './listApiKeys.ts';
import { metrics } from './metrics.ts';
import { mintUsd } from './mintUsd.ts';
import { openapi } from './openapi.ts';
import { quoteToken } from './quoteToken.ts';
import { ready } from './ready.ts';
import { revokeApiKey } from './revokeApiKey.ts';
import { searchToken } from './searchToken.ts';
import { solvency } from './solvency.ts';
import { tradeToken } from './tradeToken.ts';

export { activityWords, feeWords } from './feeWords.ts';
export type * from './prepared.ts';
export type * from './quoteParts.ts';

/**
 * Every operation of the service. Order is the order of the docs. Each has a handler of the same name in
 * `api/src/handlers/`; the build fails when one lacks the other.
 */
export const operations = [
  authChallenge,
  authLogin,
  authRefresh,
  authLogout,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  jwks,
  createTokenTransaction,
  tradeToken,
  quoteToken,
  getPoolData,
  claimRewards,
  getUserFees,
  getUserFeeHistory,
  getUserPortfolio,
  getLeaderboard,
  searchToken,
  mintUsd,
  chains,
  solvency,
  health,
  ready,
  metrics,
  ipfs,
  openapi,
  docs,
  docsScript,
] as const satisfies readonly Operation[];

export type Operations = typeof operations;
export type OperationName = Operations[number]['name'];
