import { getBlock, getTransactionReceipt, blockNumber as newestBlock } from '../../chain/evm/calls.ts';
import { ChainDownError } from '../../chain/rpc.ts';
import type { Context } from '../context.ts';
import { completeStep, failStep } from '../lanes/endStep.ts';
import type { Reason } from '../lanes/intents.ts';
import type { EvmLane } from './chainAccess.ts';
import { type Receipt, receiptFrom } from './lookUp.ts';
import type { OpenStep } from './openSteps.ts';

/**
 * The receipt as two providers return it, where there are two, once it is final.
 *
 * @param receipt - As one provider returned it.
 * @returns Undefined while it is not final, or too few providers agree; they are asked again at the next turn.
 */
export const finalReceipt = async ({ chain }: EvmLane, receipt: Receipt): Promise<Receipt | undefined> => {
  try {
    const { answer } = await chain.rpc.agreed(async (node) => {
      const [shown, block, head] = await node.batch([
        getTransactionReceipt(receipt.attempt.hash),
        getBlock(receipt.blockNumber),
        newestBlock(),
      ]);
      const own = receiptFrom(receipt.attempt, shown);
      return {
        blockHash: own?.blockHash,
        reverted: own?.reverted ?? false,
        isCanonical: block?.hash === own?.blockHash,
        isDeep: head - receipt.blockNumber >= chain.finalityBlocks,
      };
    });
    const { blockHash, reverted, isCanonical, isDeep } = answer;
    return isDeep && isCanonical && blockHash === receipt.blockHash ? { ...receipt, reverted } : undefined;
  } catch (error) {
    if (!(error instanceof ChainDownError)) throw error;
    return undefined;
  }
};

const cancelled: Reason = {
  code: 'DEADLINE_PASSED',
  message: 'The transaction was not mined before its deadline and was cancelled.',
};

/** Ends a step whose receipt is final. */
export const endMined = (
  context: Context,
  lane: EvmLane,
  step: OpenStep,
  { attempt, reverted }: Receipt,
): Promise<void> =>
  attempt.kind === 'cancel' || reverted
    ? failStep(context, lane, step, attempt.kind === 'cancel' ? cancelled : null, {
        hash: attempt.hash,
        succeeded: !reverted,
      })
    : completeStep(context, lane, step);
