import { distributionTypes, type Eid } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Stage } from '../../db/chainTables.ts';
import type { Db } from '../../db/serviceTables.ts';
import { recentCount } from './recentCount.ts';

/** What is counted of one chain. */
export interface MarketFigures {
  /** Tokens by stage. */
  stages: Record<Stage, number>;
  /** Null while the index is not near the head of the chain. */
  day: DayFigures | null;
}

/** Of the 24 hours before the newest indexed block. */
export interface DayFigures {
  created: number;
  /** USD with 18 fraction digits. */
  volume18: bigint;
  /** Credits of creators, base units of the chain's dollar. */
  paidToCreatorsUsd: bigint;
  traders: number;
}

/** Kept by chain, so that any choice of chains is made of the same few counts. */
export const marketFigures = (db: Db, eid: Eid): Promise<MarketFigures> =>
  recentCount(db, `market ${eid}`, async () => {
    const [stages, day] = await Promise.all([countStages(db, eid), countDay(db, eid)]);
    return { stages, day };
  });

const countStages = async (db: Db, eid: Eid): Promise<Record<Stage, number>> => {
  const rows = await db
    .selectFrom('token')
    .select(['stage', ({ fn }) => fn.countAll<number>().as('tokens')])
    .where('eid', '=', eid)
    .groupBy('stage')
    .execute();
  const counted = new Map(rows.map(({ stage, tokens }) => [stage, tokens]));
  const of = (stage: Stage): number => counted.get(stage) ?? 0;
  return { new: of('new'), graduating: of('graduating'), graduated: of('graduated') };
};

/** Each figure along an index by chain and time; the volume is kept with the windows of the tokens that were traded. */
const countDay = async (db: Db, eid: Eid): Promise<DayFigures | null> => {
  const { rows } = await sql<DayRow>`
    select
      (select count(*) from token where token.eid = chain.eid and created_at > since) as created,
      (select coalesce(sum(volume_usd18_24h), 0) from token_window w
        where w.eid = chain.eid and volume_usd18_24h > 0) as volume18,
      (select coalesce(sum(amount), 0) from fee_credit credit
        where credit.eid = chain.eid and time > since and currency = chain.usd
          and distribution_type = ${distributionTypes.creator}) as paid_to_creators,
      (select count(distinct trader) from trade
        where trade.eid = chain.eid and time > since and not foreign_router) as traders
    from chain cross join lateral (select indexed_time - interval '24 hours' as since) day
    where chain.eid = ${eid} and rolled_block = indexed`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { created, volume18, paid_to_creators: paidToCreatorsUsd, traders } = row;
  return { created, volume18, paidToCreatorsUsd, traders };
};

interface DayRow {
  created: number;
  volume18: bigint;
  paid_to_creators: bigint;
  traders: number;
}
