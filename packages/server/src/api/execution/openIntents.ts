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
  return [...chains.values()].map(({ chain: { slug, eid } }) => {
    const waiting = queued.find((row) => row.eid === eid);
    return {
      slug,
      queued: waiting?.count ?? 0,
      signed: signed.find((row) => row.eid === eid)?.count ?? 0,
      oldestQueuedSeconds: Math.max(0, waiting?.oldest ?? 0),
    };
  });
};
