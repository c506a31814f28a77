import { sendToAll } from '../../chain/evm/send.ts';
import { RpcError } from '../../chain/wire.ts';
import type { Context, Lane } from '../context.ts';
import { databaseNow, tell } from './intents.ts';
import type { OpenStep } from './openSteps.ts';

/**
 * Sends the newest attempt of a step, which may have been sent before: the same bytes are one transaction. Without an
 * answer it is open whether they arrived; the next turn of the lane finds out by their hash.
 *
 * @returns False when the providers refused them: they are sent again at the next turn.
 */
export const sendStep = async ({ db, log }: Context, { chain }: Lane, step: OpenStep): Promise<boolean> => {
  const attempt = step.attempts.at(-1);
  if (attempt === undefined) throw new Error(`Step ${step.step} of ${step.intentId} has a nonce without bytes.`);
  const fields = { chain: chain.slug, intent: step.intentId, step: step.step, nonce: step.nonce, hash: attempt.hash };
  try {
    const outcome = await sendToAll(chain.rpc, attempt.raw);
    if (outcome === 'unknown') log.warn(fields, 'sent, and no provider answered');
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    log.warn({ ...fields, reason: error.message }, 'the providers refuse a transaction for now');
    return false;
  }
  if (attempt.isSent && step.status !== 'queued') return true;
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('attempt')
      .set({ sent_at: databaseNow })
      .where('eid', '=', chain.eid)
      .where('hash', '=', attempt.hash)
      .where('sent_at', 'is', null)
      .execute();
    const { numUpdatedRows } = await tx
      .updateTable('intent_step')
      .set({ status: 'sent' })
      .where('eid', '=', chain.eid)
      .where('intent_id', '=', step.intentId)
      .where('step', '=', step.step)
      .where('status', '=', 'queued')
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await tell(tx, step.intentId);
  });
  return true;
};
