import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';
import type { InBlock } from './inBlock.ts';

/** What the creator of a token sold of it, in trades that it sent itself. */
export interface CreatorSales {
  /** Base units of the token, as the next. */
  tokens: bigint;
  /** The part of it that went through routers that are not ours. */
  throughOthers: bigint;
  /** Before fees, base units of the chain's dollar. */
  grossUsd: bigint;
  trades: number;
  lastAt: Date | null;
  /** The newest transactions first. */
  transactions: InBlock[];
}

export const creatorSales = async (db: Db, token: KnownToken, most: number): Promise<CreatorSales> => {
  const { rows } = await sql<SalesRow>`
    with sold as materialized (
      select tx_hash, block_number, time, tokens, gross_usd, foreign_router from trade
      where eid = ${token.eid} and token = ${token.address} and trader = ${token.creator} and side = 'sell'
        and time >= ${token.created_at}
    )
    select coalesce(sum(tokens), 0) as tokens, coalesce(sum(tokens) filter (where foreign_router), 0) as through_others,
      coalesce(sum(gross_usd), 0) as gross_usd, count(*) as trades, max(time) as last_at,
      (select json_agg(shown) from (
        select tx_hash as hash, block_number as block from sold group by 1, 2 order by 2 desc, 1 limit ${most}
      ) shown) as transactions
    from sold`.execute(db);
  const [row] = rows as [SalesRow];
  return {
    tokens: row.tokens,
    throughOthers: row.through_others,
    grossUsd: row.gross_usd,
    trades: row.trades,
    lastAt: row.last_at,
    transactions: row.transactions ?? [],
  };
};

interface SalesRow {
  tokens: bigint;
  through_others: bigint;
  gross_usd: bigint;
  trades: number;
  last_at: Date | null;
  transactions: InBlock[] | null;
}
