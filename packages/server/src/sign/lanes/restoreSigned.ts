import { sql } from 'kysely';
import type { Context, Lane } from '../context.ts';
import type { LogEntry } from '../signingLog/signingLog.ts';
import { holdQueued, type QueuedIntent, recordSigned } from './intents.ts';
import { lockLane, setNextNonce } from './lockLane.ts';
import { countAttempt, insertAttempt } from './recordAttempt.ts';
import { placeOf } from './verifyIntent.ts';

/**
 * Records the signatures of queued intents that the signing log has and the tables do not: the signer was killed before
 * it had committed them, or the database was restored to an earlier state. The same bytes are the same transaction, so
 * nothing happens twice.
 *
 * @returns False while another signer holds the lane.
 */
export const restoreSigned = async (
  context: Context,
  lane: Lane,
  queued: readonly QueuedIntent[],
): Promise<boolean> => {
  for (const { intent_id, proof } of queued) {
    const claims = await context.intents.verify(proof);
    if (claims === null || claims.intentId !== intent_id) continue;
    const entry = await context.signingLog.find(placeOf(claims));
    if (entry === undefined || entry.eid !== lane.chain.eid || entry.wallet !== lane.wallet) continue;
    if (!(await restore(context, lane, entry))) return false;
  }
  return true;
};

const restore = (context: Context, lane: Lane, entry: LogEntry): Promise<boolean> =>
  context.db.transaction().execute(async (tx) => {
    const { chain, wallet } = lane;
    const { intentId, steps, usd18, day } = entry;
    await sql`set local synchronous_commit = on`.execute(tx);
    const own = await lockLane(tx, lane);
    if (own === undefined) return false;
    if ((await holdQueued(tx, lane, intentId)) === undefined) return true; // another signer was faster
    const nonces: number[] = [own];
    for (const [step, attempts] of steps.entries()) {
      for (const attempt of attempts) {
        await insertAttempt(tx, lane, { intentId, step }, attempt)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await countAttempt(tx, lane, { intentId, step }, attempt);
        if (attempt.nonce !== null) nonces.push(attempt.nonce + 1);
        const fields = { chain: chain.slug, wallet, intent: intentId, step, hash: attempt.hash };
        context.log.warn(fields, 'a signature is restored from the signing log');
      }
    }
    await setNextNonce(tx, lane, Math.max(...nonces));
    await recordSigned(tx, lane, intentId, { usd18, day });
    return true;
  });
