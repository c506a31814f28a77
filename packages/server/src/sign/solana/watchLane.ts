import { ChainDownError } from '../../chain/rpc.ts';
import { transactionRefusal } from '../../chain/solana/refusal.ts';
import type { Context } from '../context.ts';
import { completeStep, failStep, type Idle } from '../lanes/endStep.ts';
import type { Reason } from '../lanes/intents.ts';
import { lockLane } from '../lanes/lockLane.ts';
import { recordMined, recordUnmined, recordUnsure } from '../lanes/recordStep.ts';
import { findLogged, recordAnother, restoreNewest } from '../lanes/signAgain.ts';
import { withWalletKey } from '../wallets/walletKey.ts';
import type { SolanaLane } from './chainAccess.ts';
import { type ChainState, readChainState } from './chainState.ts';
import { isGoneForGood, type Landed, lookUp, newestHeight } from './lookUp.ts';
import { type OpenStep, openSteps } from './openSteps.ts';
import { sendStep } from './sendStep.ts';
import { isKnown, signTransaction } from './signTransaction.ts';
import { solanaKeys } from './walletKey.ts';

/**
 * One turn of a wallet's open steps. The same bytes are sent until a block holds them. Only once they can never land any more is a step
 * signed a second time. It ends when its block is final. The steps of an intent go one after the other.
 *
 * A step that cannot be handled does not hold up those of other intents.
 *
 * @throws ChainDownError while the chain does not answer; the error of the first step that failed, after all others were handled.
 */
export const watchLane = async (context: Context, lane: SolanaLane): Promise<void> => {
  const steps = await openSteps(context, lane);
  if (steps.length === 0) return;
  const height = await newestHeight(lane);
  const failures: unknown[] = [];
  const waiting = new Set<string>();
  for (const step of steps) {
    try {
      if (waiting.has(step.intentId)) continue;
      if ((await watchStep(context, lane, step, height)) === 'waits') waiting.add(step.intentId);
    } catch (error) {
      if (error instanceof ChainDownError) throw error;
      failures.push(error);
      waiting.add(step.intentId);
    }
  }
  if (failures.length > 0) throw failures[0];
};

/** @returns Whether later steps of the intent have to wait for this one. */
const watchStep = async (
  context: Context,
  lane: SolanaLane,
  step: OpenStep,
  height: number,
): Promise<'waits' | 'goes on'> => {
  const landed = await lookUp(lane, step.hash);
  if (landed === 'unsure') {
    if (step.status !== 'mined') await recordUnsure(context, lane, step);
    return 'waits';
  }
  if (landed !== undefined) {
    if (!isRecorded(step, landed))
      await recordMined(context, lane, step, { ...landed, hash: step.hash }, reasonOf(landed));
    if (landed.isFinal && landed.error === null) await completeStep(context, lane, step);
    else if (landed.isFinal) await failStep(context, lane, step, null, idleOf(step));
    return 'goes on';
  }
  if (step.status === 'mined') await recordUnmined(context, lane, step, step.hash);
  if (height <= step.validUntil) await sendStep(context, lane, step);
  else if (await isGoneForGood(lane, step)) await signAgain(context, lane, step);
  return 'waits';
};

/** Of what failed in its block, or lands no more. */
const idleOf = ({ hash }: OpenStep): Idle => ({ hash, succeeded: false });

const isRecorded = ({ status, blockHash, isFailed }: OpenStep, landed: Landed): boolean =>
  status === 'mined' && blockHash === landed.blockHash && isFailed === (landed.error !== null);

const reasonOf = ({ error }: Landed): Reason | null => {
  if (error === null) return null;
  const { code, message } = transactionRefusal(error);
  return { code, message };
};

/**
 * Signs the step a second time, unless its deadline is over. Whether its earlier bytes can still land is asked of those in
 * the signing log, whatever the tables say.
 */
const signAgain = async (context: Context, lane: SolanaLane, step: OpenStep): Promise<void> => {
  const logged = await findLogged(context, step);
  const newest = logged?.attempts.at(-1);
  if (logged !== undefined && newest !== undefined) {
    if (newest.hash !== step.hash) return restoreNewest(context, lane, logged);
    if (!(await isGoneForGood(lane, { hash: newest.hash, validUntil: newest.validUntilBlock as number }))) return;
  }
  if (step.isExpired) {
    const message = 'No block took the transaction before its deadline, and none can take it any more.';
    return failStep(context, lane, step, { code: 'DEADLINE_PASSED', message }, idleOf(step));
  }
  if (logged === undefined || newest === undefined) return;
  const state: ChainState = await readChainState(lane);
  await withWalletKey(context, lane.wallet, solanaKeys, async (key) => {
    if (key === undefined) return;
    const signed = signTransaction(lane, key, newest.raw, state);
    await context.db.transaction().execute(async (tx) => {
      if ((await lockLane(tx, lane)) === undefined) return;
      const row = await tx
        .selectFrom('intent_step')
        .select('hash')
        .where('eid', '=', lane.chain.eid)
        .where('intent_id', '=', step.intentId)
        .where('step', '=', step.step)
        .executeTakeFirst();
      if (row?.hash !== step.hash) return; // another signer was faster
      if (await isKnown(tx, lane, signed)) return; // the next turn has a newer blockhash
      await recordAnother(context, tx, lane, logged, signed);
    });
  });
};
