import type { Eid, ErrorCode } from '@mintage/protocol';
import { type Expression, type Selectable, sql } from 'kysely';
import { type SignerDatabase, signedChannel } from '../../db/signerTables.ts';
import type { Context, Lane, Tx } from '../context.ts';
import type { StepBytes } from '../policy/policy.ts';
import { traceIntent } from './traceIntent.ts';

/** Why an intent or step ends, a code of the catalogue and a sentence. */
export interface Reason {
  code: ErrorCode;
  message: string;
}

export type Intent = Selectable<SignerDatabase['intent']>;
export type Step = Selectable<SignerDatabase['intent_step']>;

export const stepsOf = (tx: Tx, { eid, intent_id }: Pick<Intent, 'eid' | 'intent_id'>): Promise<Step[]> =>
  tx
    .selectFrom('intent_step')
    .selectAll()
    .where('eid', '=', eid)
    .where('intent_id', '=', intent_id)
    .orderBy('step')
    .execute();

export type QueuedIntent = Pick<Intent, 'intent_id' | 'premise' | 'proof'>;

/** What a wallet has queued, the oldest first. */
export const queuedOf = ({ db }: Context, { chain, wallet }: Lane): Promise<QueuedIntent[]> =>
  db
    .selectFrom('intent')
    .select(['intent_id', 'premise', 'proof'])
    .where('eid', '=', chain.eid)
    .where('wallet', '=', wallet)
    .where('status', '=', 'queued')
    .orderBy('created_at')
    .orderBy('intent_id')
    .limit(atOnce)
    .execute();

const atOnce = 20;

/** Locks an intent that may still be signed; undefined when it may not any more. */
export const holdQueued = (tx: Tx, { chain }: Lane, intentId: string): Promise<Intent | undefined> =>
  tx
    .selectFrom('intent')
    .selectAll()
    .where('eid', '=', chain.eid)
    .where('intent_id', '=', intentId)
    .where('status', '=', 'queued')
    .where('expires_at', '>', databaseNow)
    .forUpdate()
    .executeTakeFirst();

/**
 * Records that the bytes of all its steps are in the tables.
 *
 * @param counted - Dollars with 18 decimals that it counts in the budget of its credential, and on which day (UTC).
 */
export const recordSigned = async (
  tx: Tx,
  { chain }: Lane,
  intentId: string,
  { usd18, day }: { usd18: bigint; day: string },
): Promise<void> => {
  await tx
    .updateTable('intent')
    .set({ status: 'signed', signed_at: databaseNow, usd18, budget_day: day })
    .where('eid', '=', chain.eid)
    .where('intent_id', '=', intentId)
    .execute();
  await tell(tx, intentId);
};

/** What the policy judges of a step. */
export const bytesOf = (step: Step): StepBytes => ({ to: step.to_address, value: step.value, data: step.data });

export const databaseNow: Expression<Date> = sql<Date>`now()`;

/** Notifies waiting processes once the transaction is committed. */
export const tell = async (tx: Tx, intentId: string): Promise<void> => {
  await sql`select pg_notify(${signedChannel}, ${intentId})`.execute(tx);
};

/** Refuses an intent: nothing of it was or will be signed. */
export const refuse = async (tx: Tx, { chain }: Lane, intentId: string, { code, message }: Reason): Promise<void> => {
  await tx
    .updateTable('intent')
    .set({ status: 'refused', error_code: code, error: message, ended_at: databaseNow })
    .where('eid', '=', chain.eid)
    .where('intent_id', '=', intentId)
    .where('status', '=', 'queued')
    .execute();
  await tell(tx, intentId);
};

/** As `refuse`, in a transaction of its own. */
export const refuseNow = async (context: Context, lane: Lane, intentId: string, reason: Reason): Promise<void> => {
  const { db, log } = context;
  await db.transaction().execute((tx) => refuse(tx, lane, intentId, reason));
  log.info({ chain: lane.chain.slug, wallet: lane.wallet, intent: intentId, ...reason }, 'refused');
  await traceIntent(context, lane, 'sign', { intentId, startedMs: Date.now(), error: reason.code });
};

/**
 * Refuses intents that nobody signed in time, on all of these chains, whether their providers answer or not. Uses the
 * database's clock.
 */
export const refuseExpired = async ({ db, log }: Context, eids: readonly Eid[]): Promise<void> => {
  const expired = await db.transaction().execute(async (tx) => {
    const rows = await tx
      .updateTable('intent')
      .set({
        status: 'refused',
        error_code: 'DEADLINE_PASSED',
        error: 'The deadline passed before the transaction could be signed.',
        ended_at: databaseNow,
      })
      .where('eid', 'in', eids)
      .where('status', '=', 'queued')
      .where('expires_at', '<=', databaseNow)
      .returning('intent_id')
      .execute();
    for (const { intent_id } of rows) await tell(tx, intent_id);
    return rows;
  });
  for (const { intent_id } of expired) log.info({ intent: intent_id, code: 'DEADLINE_PASSED' }, 'refused');
};
