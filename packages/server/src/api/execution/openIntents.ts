import { sql } from 'kysely';
import type { Executing } from './executing.ts';

/** What waits for the signer, or is on its way, on one chain. */
export interface OpenIntents {
  slug: string;
  /** Not signed yet. */
  queued: number;
  /** Signed, and not final yet. */
  signed: number;
  /** Age of the oldest that is not signed, in seconds; 0 when there is none. */
  oldestQueuedSeconds: number;
}

/** The open intents of every configured chain, read along the indexes that hold nothing else. */
export const openIntents = async ({ chains, db }: Pick<Executing, 'chains' | 'db'>): Promise<OpenIntents[]> => {
  const queued = await db
    .selectFrom('intent')
    .where('status', '=', 'queued')
    .groupBy('chain_id')
    .select(['chain_id', sql<number>`count(*)::int`.as('count')])
    .select(sql<number>`extract(epoch from now() - min(created_at))::float8`.as('oldest'))
    .execute();
  const signed = await db
    .selectFrom('intent')
    .where('status', '=', 'signed')
    .groupBy('chain_id')
    .select(['chain_id', sql<number>`count(*)::int`.as('count')])
    .execute();
  return [...chains.values()].map(({ chain: { slug, chainId } }) => {
    const waiting = queued.find(({ chain_id }) => chain_id === chainId);
    return {
      slug,
      queued: waiting?.count ?? 0,
      signed: signed.find(({ chain_id }) => chain_id === chainId)?.count ?? 0,
      oldestQueuedSeconds: Math.max(0, waiting?.oldest ?? 0),
    };
  });
};
