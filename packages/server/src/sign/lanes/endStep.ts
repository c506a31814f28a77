import type { Context, Lane, Tx } from '../context.ts';
import { release } from '../policy/policy.ts';
import { databaseNow, type Reason, tell } from './intents.ts';
import { type SignedStep, updateOpen } from './recordStep.ts';
import { traceIntent } from './traceIntent.ts';

/** Ends a step whose outcome is final; why it failed was recorded with its block. */
export const endStep = (context: Context, lane: Lane, step: SignedStep, status: 'final' | 'failed'): Promise<void> =>
  end(context, lane, step, { status });

/** Ends a step that will never be mined. */
export const failStep = (context: Context, lane: Lane, step: SignedStep, { code, message }: Reason): Promise<void> =>
  end(context, lane, step, { status: 'failed', error_code: code, error: message });

/** Ends the intent with its last step; what it had reserved is released when no step was executed. */
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
  if (steps.every(({ status }) => status === 'failed')) await release(tx, chain.eid, intentId);
};
