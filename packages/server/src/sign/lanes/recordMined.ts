import { unsureSentence } from '../../db/signerTables.ts';
import type { Context, Lane, Tx } from '../context.ts';
import { databaseNow, tell } from './intents.ts';
import type { Receipt } from './lookUp.ts';
import type { OpenStep } from './openSteps.ts';
import { whyReverted } from './whyReverted.ts';

/**
 * Records that one provider returns one of the step's attempts in a block while no second one agrees yet. The status
 * stays; the sentence informs the user.
 */
export const recordUnsure = async ({ db }: Context, lane: Lane, step: OpenStep): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await updateOpen(tx, lane, step)
      .set({ error: unsureSentence })
      .where('status', '!=', 'mined')
      .where('error', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await tell(tx, step.intentId);
  });
};

/**
 * Records that a block contains one of the step's attempts, as two providers agree. Not final: the block may still
 * leave the chain.
 */
export const recordMined = async (
  { db }: Context,
  lane: Lane,
  step: OpenStep,
  { attempt, blockNumber, blockHash, reverted, gasPaid }: Receipt,
): Promise<void> => {
  const reason = reverted ? await whyReverted(lane, step, blockNumber) : undefined;
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('attempt')
      .set({ sent_at: databaseNow })
      .where('eid', '=', lane.chain.eid)
      .where('hash', '=', attempt.hash)
      .where('sent_at', 'is', null)
      .execute();
    await updateOpen(tx, lane, step)
      .set({
        status: 'mined',
        hash: attempt.hash,
        block_number: blockNumber,
        block_hash: blockHash,
        gas_paid: gasPaid,
        error_code: reason?.code ?? null,
        error: reason?.message ?? null,
      })
      .execute();
    await tell(tx, step.intentId);
  });
};

/** Records that the block has left the chain: the step waits again. */
export const recordUnmined = async ({ db, log }: Context, lane: Lane, step: OpenStep): Promise<void> => {
  log.info({ chain: lane.chain.slug, intent: step.intentId, step: step.step }, 'reorg: a transaction waits again');
  await db.transaction().execute(async (tx) => {
    await updateOpen(tx, lane, step)
      .set({
        status: 'sent',
        hash: step.attempts.at(-1)?.hash,
        block_number: null,
        block_hash: null,
        gas_paid: null,
        error_code: null,
        error: null,
      })
      .where('block_hash', '=', step.blockHash)
      .execute();
    await tell(tx, step.intentId);
  });
};

/** Updates the step's row while its outcome is not final and its nonce is the one that was looked up. */
export const updateOpen = (tx: Tx, { chain }: Lane, { intentId, step, nonce }: OpenStep) =>
  tx
    .updateTable('intent_step')
    .where('eid', '=', chain.eid)
    .where('intent_id', '=', intentId)
    .where('step', '=', step)
    .where('nonce', '=', nonce)
    .where('status', 'in', ['queued', 'sent', 'mined']);
