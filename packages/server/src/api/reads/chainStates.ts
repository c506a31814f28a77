import type { ChainContext } from '../../chain/chainContext.ts';
import type { ChainStatus } from '../../db/chainTables.ts';
import type { Reading } from '../tokens/reading.ts';

/** How far a chain is indexed, as GET /chains and /ready tell it. */
export interface ChainState {
  served: ChainContext;
  status: ChainStatus;
  /** Block numbers; null before the indexer's first look. */
  head: number | null;
  indexed: number | null;
  /** How late the index is; null when unknown. */
  lagMs: number | null;
  /** Milliseconds without a new block; null when unknown. */
  stillMs: number | null;
  /** How fast a backfill goes; null when there is none. */
  blocksPerSecond: number | null;
  /** Trades, transfers and fee credits before are gone; null: all are kept. */
  historyFrom: Date | null;
}

/** The state of every configured chain, in their order. */
export const chainStates = async ({ chains, db, now }: Reading & { now: () => number }): Promise<ChainState[]> => {
  const served = [...chains.values()];
  if (served.length === 0) return [];
  const rows = await db
    .selectFrom('chain')
    .select(['eid', 'head', 'indexed', 'indexed_time', 'status', 'blocks_per_second', 'history_from'])
    .where(
      'eid',
      'in',
      served.map(({ chain }) => chain.eid),
    )
    .execute();
  const byId = new Map(rows.map((row) => [row.eid, row]));
  return served.map((one) => {
    const row = byId.get(one.chain.eid);
    if (!row) return { ...unknown, served: one, status: one.client.up ? 'starting' : 'down' };
    const { indexPulse, client } = one;
    indexPulse.saw(row.indexed, row.indexed_time?.getTime() ?? null);
    const waiting = row.indexed < row.head;
    const ageMs = row.indexed_time === null ? null : Math.max(0, now() - row.indexed_time.getTime());
    return {
      served: one,
      status: !client.up || (row.status === 'live' && indexPulse.isStale) ? 'down' : row.status,
      head: row.head,
      indexed: Math.max(0, row.indexed),
      lagMs: waiting ? ageMs : standstillMs(one),
      stillMs: indexPulse.stillMs(),
      blocksPerSecond: row.blocks_per_second === null ? null : Math.round(row.blocks_per_second * 10) / 10,
      historyFrom: row.history_from,
    };
  });
};

/**
 * Milliseconds without a new block, still growing while no provider answers; 0 as long as the next block is not late.
 */
export const standstillMs = ({ chain, indexPulse }: Pick<ChainContext, 'chain' | 'indexPulse'>): number => {
  const stillMs = Math.floor(indexPulse.stillMs() ?? 0);
  return stillMs <= Math.max(leastLateMs, lateAfterGaps * (chain.blockTimeMs ?? 1_000)) ? 0 : stillMs;
};

const lateAfterGaps = 3;
/** A block is normally mined, indexed and noticed within this time, milliseconds. */
const leastLateMs = 10_000;

const unknown = { head: null, indexed: null, lagMs: null, stillMs: null, blocksPerSecond: null, historyFrom: null };
