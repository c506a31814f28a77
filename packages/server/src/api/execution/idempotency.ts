import { setTimeout as sleep } from 'node:timers/promises';
import { IdempotencyKey, invalid, MintageError, type Operation } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import type { OffLoop } from '../limits/offLoop.ts';
import { intentsOfKey } from './intentsOfKey.ts';

export interface IdempotentCall {
  db: Db;
  offLoop: Pick<OffLoop, 'hashOfJson'>;
  operation: Operation;
  userId: string;
  /** Client address as `clientAddress` normalizes it. */
  address: string;
  /** The header's text. */
  key: string;
  /** As the caller sent it. */
  input: unknown;
}

/** The answer of the first call with the key; of this call when it is the first. */
export interface OnceAnswer {
  output: unknown;
  /** It is the answer of an earlier call. */
  replayed: boolean;
}

const keptHours = 24;
/** A call that has not finished after this time never will: its process has ended. */
const abandonedAfterSeconds = 60;
const askAgainMs = 50;
const waitMs = 20_000;

/**
 * Runs a write once per key and user (R5). A second call with the same key waits for the first one's answer and returns
 * it; a first call that was refused leaves no trace, so that the key can be used again.
 *
 * @param work - Performs the write. A MintageError other than OUTCOME_UNKNOWN means that nothing was done.
 * @throws MintageError INVALID_PARAMETERS for a key of the wrong form, IDEMPOTENCY_CONFLICT for another input with the
 * same key, IDEMPOTENCY_IN_PROGRESS while the first call still runs, IDEMPOTENCY_OUTCOME_UNKNOWN when it was cut off in
 * the middle, IDEMPOTENCY_ANSWER_GONE when its answer was a secret.
 */
export const once = async (call: IdempotentCall, work: () => Promise<unknown>): Promise<OnceAnswer> => {
  const form = IdempotencyKey.safeParse(call.key);
  if (!form.success) throw invalid('Idempotency-Key', form.error.issues[0]?.message ?? '');
  const caller = { owner: call.userId, address: call.address };
  const inputHash = await call.offLoop.hashOfJson(caller, [call.operation.name, call.input]);
  if (!(await claim(call, inputHash))) return { output: await answerOfFirst(call, inputHash), replayed: true };
  let output: unknown;
  try {
    output = await work();
  } catch (error) {
    // A refused call did nothing. After any other error the outcome is unknown, so the write must not run again.
    if (error instanceof MintageError && error.code !== 'OUTCOME_UNKNOWN') await ownRow(call).execute();
    throw error;
  }
  const answer = call.operation.secretAnswer ? null : JSON.stringify(output);
  await call.db
    .updateTable('idempotent_call')
    .set({ finished_at: sql<Date>`now()`, answer })
    .where('user_id', '=', call.userId)
    .where('key', '=', call.key)
    .execute();
  return { output, replayed: false };
};

/** @returns Whether this call is the first with its key, within the time that keys are kept. */
const claim = async ({ db, operation, userId, key }: IdempotentCall, inputHash: string): Promise<boolean> => {
  await db
    .deleteFrom('idempotent_call')
    .where('user_id', '=', userId)
    .where('started_at', '<', sql<Date>`now() - make_interval(hours => ${keptHours})`)
    .execute();
  const claimed = await db
    .insertInto('idempotent_call')
    .values({ user_id: userId, key, operation: operation.name, input_hash: inputHash })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return claimed.numInsertedOrUpdatedRows === 1n;
};

const ownRow = ({ db, userId, key }: IdempotentCall) =>
  db.deleteFrom('idempotent_call').where('user_id', '=', userId).where('key', '=', key);

const answerOfFirst = async (call: IdempotentCall, inputHash: string): Promise<unknown> => {
  for (let waitedMs = 0; ; waitedMs += askAgainMs) {
    const first = await call.db
      .selectFrom('idempotent_call')
      .select(['input_hash', 'finished_at', 'answer'])
      .select(sql<boolean>`started_at < now() - make_interval(secs => ${abandonedAfterSeconds})`.as('abandoned'))
      .where('user_id', '=', call.userId)
      .where('key', '=', call.key)
      .executeTakeFirst();
    if (first === undefined) throw inProgress('The first call with this key was refused just now');
    if (first.input_hash !== inputHash) {
      throw new MintageError('IDEMPOTENCY_CONFLICT', 'This key came with another request before');
    }
    if (first.finished_at !== null) {
      if (first.answer !== null) return JSON.parse(first.answer);
      throw new MintageError('IDEMPOTENCY_ANSWER_GONE', 'It was done; its answer is a secret that was shown once');
    }
    if (first.abandoned) throw await cutOff(call);
    if (waitedMs >= waitMs) throw inProgress('The first call with this key still runs');
    await sleep(askAgainMs);
  }
};

/** What is known about a call whose process has ended: the intents it made are in the database. */
const cutOff = async ({ db, operation, userId, key }: IdempotentCall): Promise<MintageError> => {
  const intents = await db.transaction().execute(async (tx) => {
    // Waits for a first call that is still inserting an intent; after this lock it can insert none (`holdKey`).
    await tx
      .selectFrom('idempotent_call')
      .select('key')
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .forUpdate()
      .execute();
    return intentsOfKey(tx, userId, key);
  });
  const last = intents.at(-1);
  const executes = operation.errors.includes('OUTCOME_UNKNOWN');
  const asked = executes ? ': your embedded wallet was asked for nothing, and will not be' : '';
  return new MintageError(
    'IDEMPOTENCY_OUTCOME_UNKNOWN',
    `The first call with this key was cut off in the middle${last === undefined ? asked : '; details say what it had executed'}`,
    last === undefined ? {} : { details: { intentId: last.intentId, intents } },
  );
};

/**
 * Locks the call's row inside the transaction in which a call inserts an intent. A later call that finds it abandoned
 * then either sees the intent or knows that none will come.
 *
 * @throws MintageError SERVICE_UNAVAILABLE when the call has taken so long that it counts as abandoned.
 */
export const holdKey = async (tx: Db, userId: string, key: string): Promise<void> => {
  const row = await tx
    .selectFrom('idempotent_call')
    .select('key')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('finished_at', 'is', null)
    .where('started_at', '>', sql<Date>`clock_timestamp() - make_interval(secs => ${abandonedAfterSeconds})`)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) {
    throw new MintageError('SERVICE_UNAVAILABLE', 'Preparing took too long, so nothing was executed');
  }
};

const inProgress = (message: string): MintageError => new MintageError('IDEMPOTENCY_IN_PROGRESS', message);
