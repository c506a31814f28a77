import { ChainDownError } from '../../chain/rpc.ts';
import type { Context } from '../context.ts';
import { updateOpen } from '../lanes/recordStep.ts';
import { findLogged, recordAnother, restoreNewest } from '../lanes/signAgain.ts';
import { withWalletKey } from '../wallets/walletKey.ts';
import type { EvmLane } from './chainAccess.ts';
import { replacementFees } from './fees.ts';
import { gasRoom } from './gasSpent.ts';
import { readWallet, suggestedTip, type WalletNow } from './laneState.ts';
import type { Seen } from './lookUp.ts';
import type { OpenStep } from './openSteps.ts';
import { cancellationOf, type EvmAttempt, signCall, signedCall } from './signCall.ts';
import { evmKeys, type WalletKey } from './walletKey.ts';

/**
 * Signs another attempt of a step that blocks keep leaving out, with the same nonce: the same call with higher fees, or
 * a cancellation once the call could only fail. At the highest fee of the policy it waits.
 *
 * @returns The step with its new attempt, recorded and not yet sent; undefined when nothing was signed.
 */
export const replaceStep = async (
  context: Context,
  lane: EvmLane,
  step: OpenStep,
  seen: Seen,
): Promise<OpenStep | undefined> => {
  const { chain, wallet } = lane;
  const newest = step.attempts.at(-1);
  if (newest === undefined || seen.head - newest.signedBlock < chain.gas.patienceBlocks) return undefined;
  const now = await walletNow(lane);
  if (now === undefined || now.head - newest.signedBlock < chain.gas.patienceBlocks) return undefined;
  const logged = await findLogged(context, step);
  if (logged === undefined) return undefined;
  const attempts = logged.attempts as readonly EvmAttempt[];
  const [first, last] = [attempts[0] as EvmAttempt, attempts.at(-1) as EvmAttempt];
  if (last.hash !== newest.hash) {
    await restoreNewest(context, lane, logged);
    return undefined;
  }
  const market = { baseFee: now.baseFee, tip: await suggestedTip(chain) };
  const fees = replacementFees(last.fees, market, chain.gas);
  if (fees === null) return undefined;
  const call = { ...signedCall(first), nonce: last.nonce };
  const replacement = step.isOverdue || last.kind === 'cancel' ? cancellationOf(call, wallet) : call;
  const sign = (key: WalletKey) =>
    context.db.transaction().execute(async (tx) => {
      // Locks the row; matches only while nobody else has added an attempt.
      const { numUpdatedRows } = await updateOpen(tx, lane, step)
        .set({ hash: newest.hash })
        .where('status', '!=', 'mined')
        .where('hash', '=', newest.hash)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return undefined;
      if ((await gasRoom(tx, lane)) < (fees.maxFeePerGas - last.fees.maxFeePerGas) * BigInt(call.gasLimit))
        return undefined;
      const attempt = signCall(lane, key, replacement, fees, now.head);
      if (!(await recordAnother(context, tx, lane, logged, attempt))) return undefined;
      return { ...step, attempts: [...step.attempts, { ...attempt, isSent: false }] };
    });
  return withWalletKey(context, wallet, evmKeys, async (key) => key && sign(key));
};

/** The wallet's state; undefined while no two providers agree: then no replacement is signed. */
const walletNow = async (lane: EvmLane): Promise<WalletNow | undefined> => {
  try {
    return await readWallet(lane);
  } catch (error) {
    if (error instanceof ChainDownError) return undefined;
    throw error;
  }
};
