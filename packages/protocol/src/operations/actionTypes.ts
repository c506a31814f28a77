import type { Operation } from '../operation.ts';
import { claimRewards } from './claimRewards.ts';
import { createReferralCode } from './createReferralCode.ts';
import { createTokenTransaction } from './createTokenTransaction.ts';
import { enterReferralCode } from './enterReferralCode.ts';
import { mintUsd } from './mintUsd.ts';
import { sendTransaction } from './sendTransaction.ts';
import { tradeToken } from './tradeToken.ts';
import { transferToken } from './transferToken.ts';

/**
 * What `/platform-action` does beside `register`, by `action.type`: fields and answer are those of the operation.
 * Source: wire contract 5.
 */
export const actionTypes = {
  createToken: createTokenTransaction,
  tradeToken,
  sendTransaction,
  transferToken,
  claimRewards,
  createReferralCode,
  enterReferralCode,
  mintUsd,
} as const satisfies Record<string, Operation>;

export type ActionTypes = typeof actionTypes;
export type ActionTypeName = keyof ActionTypes;
