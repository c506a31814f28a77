import type { Context, Lane, Tx } from '../context.ts';
import type { NewAttempt } from '../signingLog/newAttempt.ts';

export interface StepKey {
  intentId: string;
  step: number;
}

/**
 * Stores signed bytes as the attempt that counts for its step, in the transaction of the verdict; they are sent only
 * after it is committed. The log line is the audit record of every signature.
 */
export const recordAttempt = async (
  { log }: Context,
  tx: Tx,
  lane: Lane,
  { intentId, step }: StepKey,
  attempt: NewAttempt,
): Promise<void> => {
  await insertAttempt(tx, lane, { intentId, step }, attempt).execute();
  await countAttempt(tx, lane, { intentId, step }, attempt);
  const { hash, nonce, kind } = attempt;
  log.info({ chain: lane.chain.slug, wallet: lane.wallet, intent: intentId, step, nonce, hash, kind }, 'signed');
};

/** Stores an attempt. The same bytes twice are an error, unless the caller adds what a conflict means. */
export const insertAttempt = (tx: Tx, { chain }: Lane, { intentId, step }: StepKey, attempt: NewAttempt) =>
  tx.insertInto('attempt').values({
    eid: chain.eid,
    hash: attempt.hash,
    intent_id: intentId,
    step,
    nonce: attempt.nonce,
    raw: attempt.raw,
    max_fee_per_gas: attempt.fees?.maxFeePerGas ?? null,
    max_priority_fee_per_gas: attempt.fees?.maxPriorityFeePerGas ?? null,
    kind: attempt.kind,
    signed_block: attempt.signedBlock,
    valid_until_block: attempt.validUntilBlock,
    sent_at: null,
  });

/** Makes an attempt the one that counts for its step. */
export const countAttempt = async (
  tx: Tx,
  { chain }: Lane,
  { intentId, step }: StepKey,
  { nonce, hash }: Pick<NewAttempt, 'nonce' | 'hash'>,
): Promise<void> => {
  await tx
    .updateTable('intent_step')
    .set({ nonce, hash })
    .where('eid', '=', chain.eid)
    .where('intent_id', '=', intentId)
    .where('step', '=', step)
    .execute();
};
