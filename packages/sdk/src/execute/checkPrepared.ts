import type { Hex } from 'viem';
import { lower, type Trusted } from '../trusted.ts';
import { checkCreation } from './checkCreation.ts';
import { checkedAs } from './checkedAs.ts';
import { checkClaims, checkMint, checkRegistration, checkTransfer } from './checkOthers.ts';
import { checkTrade } from './checkTrade.ts';
import type { CheckedCall } from './items.ts';
import type { Prepared, PreparedOperation } from './prepared.ts';

type Checks = {
  [Name in PreparedOperation]: (prepared: Prepared<Name>, wallet: Hex, trusted: Trusted) => CheckedCall[];
};

const checks: Checks = {
  tradeToken: checkTrade,
  createTokenTransaction: checkCreation,
  transferToken: checkTransfer,
  registerToken: checkRegistration,
  claimRewards: checkClaims,
  mintUsd: checkMint,
};

/**
 * Reads the bytes of an answer by our own decoder and prices them by our own maths, and holds both against the answer, against
 * what was asked, against the wallet that executes and against the addresses that the caller trusts.
 *
 * @returns The calls in order, without approvals: those follow from the allowance that the chain has.
 * @throws MintageError BYTES_DIFFER, naming the first field, or for an answer that has not its form; INVALID_PARAMETERS for an answer that was executed already.
 */
export const checkPrepared = (prepared: Prepared, wallet: string, trusted: Trusted): CheckedCall[] =>
  checkedAs(prepared, () => {
    const check = checks[prepared.operation] as (...given: [Prepared, Hex, Trusted]) => CheckedCall[];
    return check(prepared, lower(wallet), trusted);
  });
