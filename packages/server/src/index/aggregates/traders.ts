import type { Row } from '../../db/chainTables.ts';
import type { Page } from '../page/page.ts';

/**
 * Adds a trade to its wallet's totals over all tokens of the chain. Swaps by foreign routers are left out: anyone who
 * gets a person to call a contract could otherwise add to that person's history, thresholds and volume.
 */
export const addToTrader = (page: Page, trade: Row<'trade'>): void => {
  if (trade.foreign_router) return;
  const { eid, trader: wallet, block_number, time } = trade;
  const row =
    page.rows.trader.change(block_number, wallet) ??
    page.rows.trader.add(block_number, {
      eid,
      wallet,
      volume_usd: 0n,
      trades: 0,
      first_trade_at: time,
      last_trade_at: time,
    });
  row.volume_usd += trade.gross_usd;
  row.trades += 1;
  row.last_trade_at = time;
};
