import { usd18 } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Address, ChainContext } from '../../chain/servedChain.ts';
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
  const decimals = new Map(served.map(({ chain, deployment }) => [chain.chainId, deployment.usdDecimals]));
  const { rows } = await sql<{ chain_id: number; final_usd: bigint }>`
    select trader.chain_id, trader.volume_usd - coalesce(recent.usd, 0) as final_usd
    from trader
    join chain on chain.chain_id = trader.chain_id
    cross join lateral (
      select sum(trade.gross_usd) as usd from trade
      where trade.chain_id = trader.chain_id and trade.trader = trader.wallet
        and trade.block_number > chain.finalized
        and not trade.foreign_router
    ) recent
    where trader.chain_id = any(${[...decimals.keys()]}) and trader.wallet = any(${[...wallets]})
  `.execute(db);
  return rows.reduce((total, row) => total + usd18(row.final_usd, decimals.get(row.chain_id) ?? 18), 0n);
};
