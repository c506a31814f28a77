import type { Hash } from '@mintage/protocol';
import { unsureSentence } from '../../db/signerTables.ts';
import type { Context, Lane, Tx } from '../context.ts';
import { databaseNow, type Reason, tell } from './intents.ts';
import { traceIntent } from './traceIntent.ts';

/** A signed step whose outcome is not final, as it was looked up. */
export type SignedStep = SignedPlace & (OfNonce | OfBytes);

export interface SignedPlace {
  intentId: string;
  /** From 0, within the intent. */
  step: number;
  /** Of the block that holds it; null while none does. */
  blockHash: Hash | null;
}

/** Where transactions have nonces: whoever has this one is the step. */
interface OfNonce {
  nonce: number;
}

/** Where they have none: the bytes that count, until the step is signed again. */
interface OfBytes {
  nonce: null;
  hash: Hash;
}

/**
 * Records that a provider took these bytes of the step.
 *
 * @param startedMs - When they were sent, Unix milliseconds.
 */
export const recordSent = async (
  context: Context,
  lane: Lane,
  step: SignedStep,
  hash: Hash,
  startedMs: number,
): Promise<void> => {
  const isFirst = await context.db.transaction().execute(async (tx) => {
    const isNew = await recordAttemptSent(tx, lane, hash);
    const { numUpdatedRows } = await tx
      .updateTable('intent_step')
      .set({ status: 'sent' })
      .where('eid', '=', lane.chain.eid)
      .where('intent_id', '=', step.intentId)
      .where('step', '=', step.step)
      .where('status', '=', 'queued')
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await tell(tx, step.intentId);
    return isNew;
  });
  if (isFirst) await traceIntent(context, lane, 'send', { ...step, startedMs });
};

/** @returns Whether it was not known before. */
const recordAttemptSent = async (tx: Tx, { chain }: Lane, hash: Hash): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('attempt')
    .set({ sent_at: databaseNow })
    .where('eid', '=', chain.eid)
    .where('hash', '=', hash)
    .where('sent_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/**
 * Records that one provider returns one of the step's attempts in a block while no second one agrees yet. The status
 * stays; the sentence informs the user.
 */
export const recordUnsure = async ({ db }: Context, lane: Lane, step: SignedStep): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await updateOpen(tx, lane, step)
      .set({ error: unsureSentence })
      .where('status', '!=', 'mined')
      .where('error', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await tell(tx, step.intentId);
  });
};

/** The attempt that a block contains. */
export interface Mined {
  hash: Hash;
  blockNumber: number;
  blockHash: Hash;
  /** Native base units. */
  gasPaid: bigint;
}

/**
 * Records that a block contains one of the step's attempts, as two providers agree. Not final: the block may still
 * leave the chain.
 *
 * @param failure - Why it failed there; null when it did not.
 */
export const recordMined = async (
  { db }: Context,
  lane: Lane,
  step: SignedStep,
  { hash, blockNumber, blockHash, gasPaid }: Mined,
  failure: Reason | null,
): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    await recordAttemptSent(tx, lane, hash);
    await updateOpen(tx, lane, step)
      .set({
        status: 'mined',
        hash,
        block_number: blockNumber,
        block_hash: blockHash,
        gas_paid: gasPaid,
        error_code: failure?.code ?? null,
        error: failure?.message ?? null,
      })
      .execute();
    await tell(tx, step.intentId);
  });
};

/**
 * Records that the block has left the chain: the step waits again.
 *
 * @param newest - Hash of its newest attempt.
 */
export const recordUnmined = async (
  { db, log }: Context,
  lane: Lane,
  step: SignedStep,
  newest: Hash | undefined,
): Promise<void> => {
  log.info({ chain: lane.chain.slug, intent: step.intentId, step: step.step }, 'reorg: a transaction waits again');
  await db.transaction().execute(async (tx) => {
    await updateOpen(tx, lane, step)
      .set({
        status: 'sent',
        hash: newest,
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

/** Updates the step's row while its outcome is not final and it is still signed as it was looked up. */
export const updateOpen = (tx: Tx, { chain }: Lane, signed: SignedStep) => {
  const open = tx
    .updateTable('intent_step')
    .where('eid', '=', chain.eid)
    .where('intent_id', '=', signed.intentId)
    .where('step', '=', signed.step)
    .where('status', 'in', ['queued', 'sent', 'mined']);
  return signed.nonce === null
    ? open.where('nonce', 'is', null).where('hash', '=', signed.hash)
    : open.where('nonce', '=', signed.nonce);
};
