import { getBlock, getTransactionReceipt, blockNumber as newestBlock } from '../../chain/evm/calls.ts';
import { ChainDownError } from '../../chain/rpc.ts';
import type { Context, Lane, Tx } from '../context.ts';
import { release } from '../policy/policy.ts';
import { databaseNow, type Reason, tell } from './intents.ts';
import { type Receipt, receiptFrom } from './lookUp.ts';
import type { OpenStep } from './openSteps.ts';
import { updateOpen } from './recordMined.ts';

/**
 * The receipt as two providers return it, where there are two, once it is final.
 *
 * @param receipt - As one provider returned it.
 * @returns Undefined while it is not final, or too few providers agree; they are asked again at the next turn.
 */
export const finalReceipt = async ({ chain }: Lane, receipt: Receipt): Promise<Receipt | undefined> => {
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
export const endStep = async (
  context: Context,
  lane: Lane,
  step: OpenStep,
  { attempt, reverted }: Receipt,
): Promise<void> => {
  if (attempt.kind === 'cancel') return failStep(context, lane, step, cancelled);
  await end(context, lane, step, { status: reverted ? 'failed' : 'final' });
};

/** Ends a step that will never be mined. */
export const failStep = (context: Context, lane: Lane, step: OpenStep, { code, message }: Reason): Promise<void> =>
  end(context, lane, step, { status: 'failed', error_code: code, error: message });

/** Ends the intent with its last step; what it had reserved is released when no step was executed. */
const end = async (
  { db, log }: Context,
  lane: Lane,
  step: OpenStep,
  change: { status: 'final' | 'failed'; error_code?: string; error?: string },
): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    await lockIntent(tx, lane, step.intentId);
    const { numUpdatedRows } = await updateOpen(tx, lane, step).set(change).executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await endIntent(tx, lane, step.intentId);
    await tell(tx, step.intentId);
  });
  log.info({ chain: lane.chain.slug, intent: step.intentId, step: step.step, ...change }, 'a step has ended');
};

/** Locks the intent: two signers that end its last two steps at once would each believe that the other step is open. */
const lockIntent = (tx: Tx, { chain }: Lane, intentId: string) =>
  tx
    .selectFrom('intent')
    .select('intent_id')
    .where('eid', '=', chain.eid)
    .where('intent_id', '=', intentId)
    .forUpdate()
    .execute();

const endIntent = async (tx: Tx, { chain }: Lane, intentId: string): Promise<void> => {
  const steps = await tx
    .selectFrom('intent_step')
    .select(['status', 'error_code', 'error'])
    .where('eid', '=', chain.eid)
    .where('intent_id', '=', intentId)
    .orderBy('step')
    .execute();
  if (steps.some(({ status }) => status !== 'final' && status !== 'failed')) return;
  const failure = steps.find(({ status }) => status === 'failed');
  await tx
    .updateTable('intent')
    .set({
      status: failure === undefined ? 'done' : 'failed',
      error_code: failure?.error_code ?? null,
      error: failure?.error ?? null,
      ended_at: databaseNow,
    })
    .where('eid', '=', chain.eid)
    .where('intent_id', '=', intentId)
    .execute();
  if (steps.every(({ status }) => status === 'failed')) await release(tx, chain.eid, intentId);
};
