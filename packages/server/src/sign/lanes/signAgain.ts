import type { Context, Lane, Tx } from '../context.ts';
import type { NewAttempt } from '../signingLog/newAttempt.ts';
import type { LogPlace } from '../signingLog/signingLog.ts';
import { countAttempt, insertAttempt, recordAttempt } from './recordAttempt.ts';
import { placeOf } from './verifyIntent.ts';

/** A signed step by the signing log. */
export interface LoggedStep {
  place: LogPlace;
  /** From 0, within the intent. */
  step: number;
  /** Oldest first; at least one. */
  attempts: readonly NewAttempt[];
}

interface StepOfIntent {
  intentId: string;
  step: number;
  /** Of the intent. */
  proof: string | null;
}

/**
 * What the signing log has of a step whose intent is signed: only that is signed again, whatever the tables say.
 *
 * @returns Undefined for a step that it does not have: of an earlier version, or made up in the database.
 */
export const findLogged = async (
  { intents, signingLog }: Context,
  { intentId, step, proof }: StepOfIntent,
): Promise<LoggedStep | undefined> => {
  const claims = await intents.verify(proof);
  if (claims === null || claims.intentId !== intentId) return undefined;
  const place = placeOf(claims);
  const attempts = (await signingLog.find(place))?.steps[step];
  return attempts && { place, step, attempts };
};

/**
 * Records another signature of a step in the signing log, and then in the tables.
 *
 * @returns False when another signer was faster.
 */
export const recordAnother = async (
  context: Context,
  tx: Tx,
  lane: Lane,
  { place, step, attempts }: LoggedStep,
  attempt: NewAttempt,
): Promise<boolean> => {
  if (!(await context.signingLog.add(place, step, attempts.length, attempt))) return false;
  await recordAttempt(context, tx, lane, { intentId: place.intentId, step }, attempt);
  return true;
};

/** Records in the tables the newest signature of a step that only the signing log has: its process was killed. */
export const restoreNewest = async (
  { db }: Context,
  lane: Lane,
  { place: { intentId }, step, attempts }: LoggedStep,
): Promise<void> => {
  const newest = attempts.at(-1) as NewAttempt;
  await db.transaction().execute(async (tx) => {
    await insertAttempt(tx, lane, { intentId, step }, newest)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await countAttempt(tx, lane, { intentId, step }, newest);
  });
};
