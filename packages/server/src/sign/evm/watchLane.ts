import { ChainDownError } from '../../chain/rpc.ts';
import type { Context } from '../context.ts';
import { recordMined, recordUnmined, recordUnsure } from '../lanes/recordStep.ts';
import type { EvmLane } from './chainAccess.ts';
import { endMined, finalReceipt } from './finality.ts';
import { cancelAfterSeconds } from './gasPolicy.ts';
import { agreedReceipt, lookUp, type Receipt, type Seen } from './lookUp.ts';
import { type OpenStep, openSteps } from './openSteps.ts';
import { replaceStep } from './replaceStep.ts';
import { sendStep } from './sendStep.ts';
import { takenByOther } from './takenByOther.ts';
import { whyReverted } from './whyReverted.ts';

/**
 * One turn of a lane: every open step is sent until it is in a block, replaced when it waits too long, and ended once
 * its block is final. Earlier observations count only as long as the chain still shows them, and one provider's report
 * only once a second one confirms it. Several signers may do this at once: each change is one statement that applies
 * only if nothing else has changed meanwhile.
 *
 * A step that cannot be handled does not hold up later ones.
 *
 * @throws ChainDownError while the chain does not answer; the error of the first step that failed, after all others
 * were handled.
 */
export const watchLane = async (context: Context, lane: EvmLane): Promise<void> => {
  const steps = await openSteps(context, lane, cancelAfterSeconds);
  if (steps.length === 0) return;
  const seen = await lookUp(lane, steps);
  const failures: unknown[] = [];
  let isLowest = true;
  for (const step of steps) {
    try {
      if (await watchStep(context, lane, step, seen, isLowest)) isLowest = false;
    } catch (error) {
      if (error instanceof ChainDownError) throw error;
      failures.push(error);
      isLowest = false;
    }
  }
  if (failures.length > 0) throw failures[0];
};

/** @returns Whether the step waits for a block: only the lowest of these is replaced. */
const watchStep = async (
  context: Context,
  lane: EvmLane,
  step: OpenStep,
  seen: Seen,
  isLowest: boolean,
): Promise<boolean> => {
  const shown = seen.receiptOf(step);
  const receipt = isRecorded(shown, step) ? shown : await agreedReceipt(lane, step);
  if (receipt === 'unsure') {
    if (step.status === 'mined') return false;
    await recordUnsure(context, lane, step);
    await sendStep(context, lane, step); // one provider may have returned a false receipt
    return false;
  }
  if (receipt !== undefined) {
    if (!isRecorded(receipt, step)) await recordReceipt(context, lane, step, receipt);
    if (seen.head - receipt.blockNumber < lane.chain.finalityBlocks) return false;
    const final = await finalReceipt(lane, receipt);
    if (final === undefined) {
      await sendStep(context, lane, step); // the block may have left the chain
      return false;
    }
    if (final.reverted !== receipt.reverted) await recordReceipt(context, lane, step, final);
    await endMined(context, lane, step, final);
    return false;
  }
  if (step.status === 'mined') await recordUnmined(context, lane, step, step.attempts.at(-1)?.hash);
  if (seen.usedNonces > step.nonce && (await takenByOther(context, lane, step, seen))) return false;
  const replaced = isLowest ? await replaceStep(context, lane, step, seen) : undefined;
  if (replaced !== undefined) await sendStep(context, lane, replaced);
  else if (mustSend(step, seen.pooled)) await sendStep(context, lane, step);
  return true;
};

const recordReceipt = async (context: Context, lane: EvmLane, step: OpenStep, receipt: Receipt): Promise<void> => {
  const reason = receipt.reverted ? await whyReverted(lane, step, receipt.blockNumber) : null;
  await recordMined(context, lane, step, { ...receipt, hash: receipt.attempt.hash }, reason);
};

/** Whether the provider's report equals what is recorded already: then no second provider is needed. */
const isRecorded = (shown: Receipt | undefined, { status, blockHash, isReverted }: OpenStep): boolean =>
  shown === undefined ? status !== 'mined' : shown.blockHash === blockHash && shown.reverted === isReverted;

/** Whether no provider that was asked knows the step's newest attempt. */
const mustSend = (step: OpenStep, pooled: ReadonlySet<string>): boolean => {
  const newest = step.attempts.at(-1);
  return newest === undefined || !newest.isSent || step.status === 'queued' || !pooled.has(newest.hash);
};
