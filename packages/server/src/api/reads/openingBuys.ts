import { windowSeconds } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';
import type { InBlock } from './inBlock.ts';

/** What was bought of a token in its opening window, while the fee falls. */
export interface OpeningBuys {
  /** Base units of the token, as the next. */
  tokens: bigint;
  byCreator: bigint;
  wallets: number;
  trades: number;
  /** How many there are, and the first of them. */
  transactionCount: number;
  transactions: InBlock[];
}

/** Along the chain's index by time, so that a long history of the token costs nothing. */
export const openingBuys = async (db: Db, token: KnownToken, most: number): Promise<OpeningBuys> => {
  const end = new Date(token.created_at.getTime() + Number(windowSeconds) * 1_000);
  const { rows } = await sql<BuysRow>`
    with opening as materialized (
      select token, side, tx_hash, block_number, log_index, tokens, trader from trade
      where eid = ${token.eid} and time >= ${token.created_at} and time < ${end}
    ), bought as (select * from opening where token = ${token.address} and side = 'buy')
    select coalesce(sum(tokens), 0) as tokens, count(*) as trades, count(distinct trader) as wallets,
      coalesce(sum(tokens) filter (where trader = ${token.creator}), 0) as by_creator,
      count(distinct tx_hash) as transaction_count,
      (select json_agg(shown) from (
        select tx_hash as hash, block_number as block from bought group by 1, 2
        order by 2, min(log_index) limit ${most}
      ) shown) as transactions
    from bought`.execute(db);
  const [row] = rows as [BuysRow];
  return {
    tokens: row.tokens,
    byCreator: row.by_creator,
    wallets: row.wallets,
    trades: row.trades,
    transactionCount: row.transaction_count,
    transactions: row.transactions ?? [],
  };
};

interface BuysRow {
  tokens: bigint;
  by_creator: bigint;
  wallets: number;
  trades: number;
  transaction_count: number;
  transactions: InBlock[] | null;
}
