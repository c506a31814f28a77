import type { Row } from '../../db/tables.ts';
import type { Hex } from '../../events/log.ts';
import type { Page } from '../page.ts';

/** What a wallet traded, on all tokens of the chain. */
export const addToTrader = (page: Page, trade: Row<'trade'>): void => {
  const { chain_id, trader: wallet, block_number, time } = trade;
  const row =
    page.traders.change(block_number, chain_id, wallet) ??
    page.traders.add(block_number, {
      chain_id,
      wallet,
      volume_usd: 0n,
      referable_usd: 0n,
      trades: 0,
      first_trade_at: time,
      last_trade_at: time,
    });
  row.volume_usd += trade.gross_usd;
  if (!isByForeignRouter(trade)) row.referable_usd += trade.gross_usd;
  row.trades += 1;
  row.last_trade_at = time;
};

/**
 * The hook books a swap by another router with the router as recipient, and with nobody else to pay. A pool trade
 * through the Launchpad for somebody else that names no builder, referral or referrer looks the same.
 */
const isByForeignRouter = (trade: Row<'trade'>): boolean =>
  trade.venue === 'pool' &&
  trade.recipient !== trade.trader &&
  [trade.builder, trade.referral, trade.referrer].every(isNobody);

const isNobody = (address: Hex): boolean => BigInt(address) === 0n;
