import { z } from 'zod';
import { optional } from '../schemas/scalars.ts';
import { claimRewards } from './claimRewards.ts';
import { createPost } from './createPost.ts';
import { createReferralCode } from './createReferralCode.ts';
import { createTokenTransaction } from './createTokenTransaction.ts';
import { deletePost } from './deletePost.ts';
import { enterReferralCode } from './enterReferralCode.ts';
import { followUser } from './followUser.ts';
import { joinHub } from './joinHub.ts';
import { leaveHub } from './leaveHub.ts';
import { markNotificationsRead } from './markNotificationsRead.ts';
import { mintUsd } from './mintUsd.ts';
import type { Operation } from './operation.ts';
import { pinPost } from './pinPost.ts';
import { reportPost } from './reportPost.ts';
import { sendTransaction } from './sendTransaction.ts';
import { setHubRole } from './setHubRole.ts';
import { tradeToken } from './tradeToken.ts';
import { transferToken } from './transferToken.ts';
import { unfollowUser } from './unfollowUser.ts';
import { updateHub } from './updateHub.ts';
import { updateUser } from './updateUser.ts';
import { vote } from './vote.ts';

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
  updateUser,
  vote,
  updateHub,
  joinHub,
  leaveHub,
  setHubRole,
  pinPost,
  followUser,
  unfollowUser,
  createPost,
  deletePost,
  reportPost,
  markNotificationsRead,
} as const satisfies Record<string, Operation>;

/** What the fields of an action are: those of its operation, but where the wire contract has another form for it. */
export const actionInputOf = (type: ActionTypeName): z.ZodObject =>
  type === 'mintUsd' ? wholeDollars : actionTypes[type].input;

/** Source: wire contract 5.8; the route takes fractions too. */
const wholeDollars = mintUsd.input.extend({
  amount: optional(z.int('must be a whole number of dollars').positive('must be greater than zero')).meta({
    description: 'Whole dollars; by default 100000.',
  }),
});

export type ActionTypes = typeof actionTypes;
export type ActionTypeName = keyof ActionTypes;
