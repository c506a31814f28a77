import type { Hash } from '@mintage/protocol';
import type { Lane, Tx } from '../context.ts';

/** Signed bytes of a step. What transactions of a family do not have is null. */
export interface NewAttempt {
  hash: Hash;
  /** The signed bytes. */
  raw: `0x${string}`;
  nonce: number | null;
  /** A cancellation uses the nonce of the call for nothing. */
  kind: 'call' | 'cancel';
  /** Native base units per gas. */
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint } | null;
  /** Newest block when they were signed. */
  signedBlock: number;
  /** The last block height that may hold them; null: any, until their nonce is used. */
  validUntilBlock: number | null;
}

interface StepKey {
  intentId: string;
  step: number;
}

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
