import type { Context, Lane, Tx } from '../context.ts';
import type { NewAttempt } from '../signingLog/newAttempt.ts';
import type { Admitted } from './decideIntent.ts';
import { recordSigned } from './intents.ts';
import { recordAttempt } from './recordAttempt.ts';
import { placeOf } from './verifyIntent.ts';

/**
 * Records the first signatures of an intent: in the signing log, and then in the tables. What the log has is never
 * signed in another way, whatever becomes of the transaction.
 *
 * @param attempts - By step.
 * @returns False when the log has signatures of the intent already; the next turn restores them.
 */
export const recordFirst = async (
  context: Context,
  tx: Tx,
  lane: Lane,
  { claims, usd18, outflow }: Pick<Admitted, 'claims' | 'usd18' | 'outflow'>,
  attempts: readonly NewAttempt[],
): Promise<boolean> => {
  const place = placeOf(claims);
  const { eid, wallet, credential, intentId } = claims;
  if (!(await context.signingLog.begin({ ...place, eid, wallet, credential, usd18, outflow, attempts }))) return false;
  for (const [step, attempt] of attempts.entries()) await recordAttempt(context, tx, lane, { intentId, step }, attempt);
  await recordSigned(tx, lane, intentId, { usd18, day: place.day });
  return true;
};
