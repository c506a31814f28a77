import { chainByEid } from '@mintage/protocol';
import type { KeyedIntent } from '@mintage/protocol/operations';
import type { Db } from '../../db/serviceTables.ts';
import { statusOfSteps, stepsOf } from './intentStatus.ts';

/** The intents that the newest call with this Idempotency-Key made, one per chain, in the order of the request. */
export const intentsOfKey = async (db: Db, userId: string, key: string): Promise<KeyedIntent[]> => {
  const rows = await db
    .selectFrom('intent')
    .leftJoin('idempotent_call as call', (join) =>
      join.onRef('call.user_id', '=', 'intent.user_id').onRef('call.key', '=', 'intent.idempotency_key'),
    )
    .select(['intent.intent_id', 'intent.eid', 'intent.error'])
    .where('intent.user_id', '=', userId)
    .where('intent.idempotency_key', '=', key)
    // A refused call leaves its key free, so its intents do not belong to a later call with the same key.
    .where(({ or, eb, ref }) =>
      or([eb('call.started_at', 'is', null), eb('intent.created_at', '>=', ref('call.started_at'))]),
    )
    .orderBy('intent.created_at')
    .orderBy('intent.eid')
    .execute();
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.intent_id);
  const steps = await stepsOf(db, userId).where('intent.intent_id', 'in', ids).execute();
  const stepsById = Map.groupBy(steps, (step) => step.intent_id);
  return rows.map(({ intent_id, eid, error }) => {
    // An intent that was withdrawn before it was inserted has no steps.
    const { blockNumber: _, ...told } = statusOfSteps(stepsById.get(intent_id) ?? []) ?? { ...takenBack, error };
    return { intentId: intent_id, chainSlug: chainByEid(eid)?.slug ?? String(eid), ...told };
  });
};

const takenBack = { status: 'failed', hash: '', blockNumber: null } as const;
