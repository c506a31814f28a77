import { type Address, type Eid, usd18 } from '@mintage/protocol';
import { sql } from 'kysely';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Db } from '../../db/serviceTables.ts';

/**
 * What the wallets traded through this service on these chains in final blocks (C13): USD with 18 fraction digits,
 * gross. One statement, so that the sum and the amounts subtracted from it belong to the same block.
 */
export const finalVolume18 = async (
  db: Db,
  served: readonly ChainContext[],
  wallets: readonly Address[],
): Promise<bigint> => {
  const decimals = new Map(served.map(({ chain, deployment }) => [chain.eid, deployment.usdDecimals]));
  const { rows } = await sql<{ eid: Eid; final_usd: bigint }>`
    select trader.eid, trader.volume_usd - coalesce(recent.usd, 0) as final_usd
    from trader
    join chain on chain.eid = trader.eid
    cross join lateral (
      select sum(trade.gross_usd) as usd from trade
      where trade.eid = trader.eid and trade.trader = trader.wallet
        and trade.block_number > chain.finalized
        and trade.time >= coalesce((select max(time) from block where eid = chain.eid and number <= chain.finalized), '-infinity')
        and not trade.foreign_router
    ) recent
    where trader.eid = any(${[...decimals.keys()]}) and trader.wallet = any(${[...wallets]})
  `.execute(db);
  return rows.reduce((total, row) => total + usd18(row.final_usd, decimals.get(row.eid) ?? 18), 0n);
};
