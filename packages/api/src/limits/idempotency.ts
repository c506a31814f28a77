import { setTimeout as sleep } from 'node:timers/promises';
import { invalid, MintageError, type Operation } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import type { OffLoop } from '../http/offLoop.ts';

export interface IdempotentCall {
  db: Db;
  offLoop: Pick<OffLoop, 'hashOfJson'>;
  operation: Operation;
  userId: string;
  /** The header's text. */
  key: string;
  /** As the caller sent it. */
  input: unknown;
}

/** What the first call answered, or this one, being the first. */
export interface OnceAnswer {
  output: unknown;
  replayed: boolean;
}

const keyForm = /^[\x21-\x7e]{1,255}$/;
const keptHours = 24;
/** A call that has not finished after this will not: its process is gone. */
const abandonedAfterSeconds = 60;
const askAgainMs = 50;
const waitMs = 20_000;

/**
 * Does a write once per key and user (R5). A second call with the same key waits for the first one's answer and gets it;
 * a first call that was refused leaves no trace, so that the key can be used again.
 *
 * @param work - Does it. A MintageError other than OUTCOME_UNKNOWN means that nothing was done.
 * @throws MintageError INVALID_PARAMETERS for a key of the wrong form, IDEMPOTENCY_CONFLICT for another input with the
 * same key, IDEMPOTENCY_IN_PROGRESS while the first call still runs, IDEMPOTENCY_OUTCOME_UNKNOWN when it was cut off in the
 * middle, IDEMPOTENCY_ANSWER_GONE when its answer was a secret.
 */
export const once = async (call: IdempotentCall, work: () => Promise<unknown>): Promise<OnceAnswer> => {
  if (!keyForm.test(call.key)) throw invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
  const inputHash = await call.offLoop.hashOfJson([call.operation.name, call.input]);
  if (!(await claim(call, inputHash))) return { output: await answerOfFirst(call, inputHash), replayed: true };
  let output: unknown;
  try {
    output = await work();
  } catch (error) {
    // A refusal did nothing. After any other error nobody knows, and nobody gets to do it a second time.
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
    if (first.abandoned) {
      throw new MintageError('IDEMPOTENCY_OUTCOME_UNKNOWN', 'The first call with this key was cut off in the middle');
    }
    if (waitedMs >= waitMs) throw inProgress('The first call with this key still runs');
    await sleep(askAgainMs);
  }
};

const inProgress = (message: string): MintageError => new MintageError('IDEMPOTENCY_IN_PROGRESS', message);
