import { type Base58, MintageError } from '@mintage/protocol';
import { base58In, type Trusted } from '../../trusted.ts';
import { checkedAs } from '../checkedAs.ts';
import type { Prepared, PreparedOperation } from '../prepared.ts';
import { checkCreation } from './checkCreation.ts';
import { checkClaims, checkMint, checkTransfer } from './checkOthers.ts';
import { checkTrade } from './checkTrade.ts';
import type { CheckedTransaction } from './whole.ts';

type Checks = {
  [Name in PreparedOperation]: (prepared: Prepared<Name>, wallet: Base58, trusted: Trusted) => CheckedTransaction[];
};

const checks: Checks = {
  tradeToken: checkTrade,
  createTokenTransaction: checkCreation,
  transferToken: checkTransfer,
  registerToken() {
    throw new MintageError('UNSUPPORTED_CHAIN', 'Tokens of Solana are not made known on other chains.');
  },
  claimRewards: checkClaims,
  mintUsd: checkMint,
};

/**
 * `checkPrepared` for a wallet of Solana: reads the whole transaction of an answer by our own reader, derives every account of it, prices
 * it by our own maths, and holds all of it against the answer, against what was asked, against the wallet that signs and against the
 * program that the caller trusts. The state of the quote is the service's own word: `limitAmountRaw` is a limit that is not.
 *
 * @returns The transactions in order; more than one only where claims are on several clusters.
 * @throws MintageError BYTES_DIFFER, naming the first field, or for an answer that has not its form; INVALID_PARAMETERS for an answer that was executed already.
 */
export const checkPreparedSolana = (prepared: Prepared, wallet: string, trusted: Trusted): CheckedTransaction[] =>
  checkedAs(prepared, () => {
    const check = checks[prepared.operation] as (...given: [Prepared, Base58, Trusted]) => CheckedTransaction[];
    return check(prepared, base58In(wallet), trusted);
  });
