import { sql } from 'kysely';
import type { Executing } from './executing.ts';

/** Intents of one chain that are queued for the signer, or signed and not final. */
export interface OpenIntents {
  slug: string;
  /** Not signed yet. */
  queued: number;
  /** Signed, and not final yet. */
  signed: number;
  /** Age of the oldest that is not signed, in seconds; 0 when there is none. */
  oldestQueuedSeconds: number;
  /** How long ago the oldest was signed that no block holds, in seconds; 0 when there is none. */
  oldestUnminedSeconds: number;
}

/** Counts the open intents of every configured chain, by partial indexes that hold open intents only. */
export const openIntents = async ({ chains, db }: Pick<Executing, 'chains' | 'db'>): Promise<OpenIntents[]> => {
  const queued = await db
    .selectFrom('intent')
    .where('status', '=', 'queued')
    .groupBy('eid')
    .select(['eid', sql<number>`count(*)::int`.as('count')])
    .select(sql<number>`extract(epoch from now() - min(created_at))::float8`.as('oldest'))
    .execute();
  const signed = await db
    .selectFrom('intent')
    .where('status', '=', 'signed')
    .groupBy('eid')
    .select(['eid', sql<number>`count(*)::int`.as('count')])
    .execute();
  const unmined = await db
    .selectFrom('intent')
    .innerJoin('intent_step as step', (join) =>
      join.onRef('step.eid', '=', 'intent.eid').onRef('step.intent_id', '=', 'intent.intent_id'),
    )
    .where('intent.status', '=', 'signed')
    .where('step.status', 'in', ['queued', 'sent'])
    .groupBy('intent.eid')
    .select(['intent.eid', sql<number>`extract(epoch from now() - min(intent.signed_at))::float8`.as('oldest')])
    .execute();
  return [...chains.values()].map(({ chain: { slug, eid } }) => {
    const waiting = queued.find((row) => row.eid === eid);
    return {
      slug,
      queued: waiting?.count ?? 0,
      signed: signed.find((row) => row.eid === eid)?.count ?? 0,
      oldestQueuedSeconds: Math.max(0, waiting?.oldest ?? 0),
      oldestUnminedSeconds: Math.max(0, unmined.find((row) => row.eid === eid)?.oldest ?? 0),
    };
  });
};
