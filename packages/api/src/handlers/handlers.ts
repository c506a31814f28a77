import type { OperationName } from '@mintage/protocol/operations';
import type { HandlerOf } from '../context.ts';
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
  jwks,
  getUserFees,
  getUserFeeHistory,
  getUserPortfolio,
  getLeaderboard,
  searchToken,
  mintUsd,
  chains,
  solvency,
  ready,
  metrics,
  ipfs,
  openapi,
  docs,
  docsScript,
  claimRewards,
  createTokenTransaction,
  getPoolData,
  quoteToken,
  tradeToken,
};
