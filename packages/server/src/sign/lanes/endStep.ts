import type { Hash } from '@mintage/protocol';
import type { Context, Lane, Tx } from '../context.ts';
import { databaseNow, type Reason, tell } from './intents.ts';
import { type SignedStep, updateOpen } from './recordStep.ts';
import { traceIntent } from './traceIntent.ts';
import { placeOf } from './verifyIntent.ts';

/** The attempt of which the chain shows that it did nothing. */
export interface Idle {
  hash: Hash;
  /** It is in a block and did not fail: then only a cancellation did nothing. */
  succeeded: boolean;
}

/** Ends a step that succeeded. */
export const completeStep = (context: Context, lane: Lane, step: SignedStep): Promise<void> =>
  end(context, lane, step, { status: 'final' });

/**
 * Ends a step that failed, or will never be mined.
 *
 * @param reason - Null: it was recorded with the block.
 * @param idle - Null: the chain shows it of none.
 */
export const failStep = async (
  context: Context,
  lane: Lane,
  step: SignedStep,
  reason: Reason | null,
  idle: Idle | null,
): Promise<void> => {
  const why = reason && { error_code: reason.code, error: reason.message };
  await end(context, lane, step, { status: 'failed', ...why });
  if (idle !== null) await release(context, lane, step.intentId, idle);
};

/** Ends the intent with its last step. */
const end = async (
  context: Context,
  lane: Lane,
  step: SignedStep,
  change: { status: 'final' | 'failed'; error_code?: string; error?: string },
): Promise<void> => {
  const { db, log } = context;
  const hasEnded = await db.transaction().execute(async (tx) => {
    await lockIntent(tx, lane, step.intentId);
    const { numUpdatedRows } = await updateOpen(tx, lane, step).set(change).executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await endIntent(tx, lane, step.intentId);
    await tell(tx, step.intentId);
    return true;
  });
  log.info({ chain: lane.chain.slug, intent: step.intentId, step: step.step, ...change }, 'a step has ended');
  const error = change.status === 'final' ? null : (change.error_code ?? change.status);
  if (hasEnded) await traceIntent(context, lane, 'final', { ...step, error });
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
};

/**
 * Releases what an intent of one step counts in the budget of its credential. The signing log says which bytes were the
 * step's, and which were a cancellation: rows of the database alone release nothing.
 */
const release = async (
  { db, intents, signingLog }: Context,
  { chain }: Lane,
  intentId: string,
  { hash, succeeded }: Idle,
): Promise<void> => {
  const intent = db.selectFrom('intent').select('proof').where('eid', '=', chain.eid).where('intent_id', '=', intentId);
  const claims = await intents.verify((await intent.executeTakeFirst())?.proof ?? null);
  if (claims === null) return;
  const place = placeOf(claims);
  const entry = await signingLog.find(place);
  const [attempts = [], ...others] = entry?.steps ?? [];
  const idle = attempts.find((one) => one.hash === hash);
  if (others.length > 0 || idle === undefined || (succeeded && idle.kind !== 'cancel')) return;
  await signingLog.release(place);
  const row = db.updateTable('intent').set({ usd18: 0n }).where('eid', '=', chain.eid);
  await row.where('intent_id', '=', intentId).execute();
};
