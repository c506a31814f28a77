import { chainById } from '@mintage/protocol';
import type { KeyedIntent } from '@mintage/protocol/operations';
import type { IntentStatus } from '@mintage/signer/db';
import type { Db } from '../db/db.ts';

/** What the newest call with this Idempotency-Key had executed, one intent per chain, in the order of asking. */
export const intentsOfKey = async (db: Db, userId: string, key: string): Promise<KeyedIntent[]> => {
  const rows = await db
    .selectFrom('intent')
    .leftJoin('idempotent_call as call', (join) =>
      join.onRef('call.user_id', '=', 'intent.user_id').onRef('call.key', '=', 'intent.idempotency_key'),
    )
    .select(['intent.intent_id', 'intent.chain_id', 'intent.status', 'intent.error'])
    .select(({ selectFrom }) =>
      selectFrom('intent_step as step')
        .select('step.hash')
        .whereRef('step.chain_id', '=', 'intent.chain_id')
        .whereRef('step.intent_id', '=', 'intent.intent_id')
        .orderBy('step.step', 'desc')
        .limit(1)
        .as('hash'),
    )
    .where('intent.user_id', '=', userId)
    .where('intent.idempotency_key', '=', key)
    // A refused call leaves its key free: what it asked for is not of the call that comes after it.
    .where(({ or, eb, ref }) =>
      or([eb('call.started_at', 'is', null), eb('intent.created_at', '>=', ref('call.started_at'))]),
    )
    .orderBy('intent.created_at')
    .orderBy('intent.chain_id')
    .execute();
  return rows.map(({ intent_id, chain_id, status, hash, error }) => ({
    intentId: intent_id,
    chainSlug: chainById(chain_id)?.slug ?? String(chain_id),
    status: statuses[status],
    hash: hash ?? '',
    error,
  }));
};

/** In the words of `/transactions/status`, where a refused wish has failed. */
const statuses = {
  queued: 'queued',
  signed: 'sent',
  refused: 'failed',
  failed: 'failed',
  done: 'final',
} as const satisfies Record<IntentStatus, KeyedIntent['status']>;
