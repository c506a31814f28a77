import type { Price, TradeOrder, TradeResult } from '../trade.ts';
import { type ExchangePool, exchangePoolPrice, quoteExchangePool } from './exchangePool.ts';
import { type MintagePool, mintagePoolPrice, quoteMintagePool } from './mintagePool.ts';
import { type PoolState, takesTierFee } from './swap.ts';

/** A graduated token's pool at one block: on an exchange, or Mintage's own. */
export type Pool = PoolState | MintagePool;
/** The same as the formulas take it: of one on an exchange they know which currency the dollar is. */
export type TokenPool = ExchangePool | MintagePool;

export interface PoolTrade extends TradeResult {
  /** What the pool's own tier keeps of what goes in: USD of a buy, tokens of a sell. Null where pools have none. */
  tierFeeIn: bigint | null;
  /** The pool after the trade. */
  after: TokenPool;
}

export const isMintagePool = (pool: Pool): pool is MintagePool => 'edgeTokens' in pool;

/** @param usdIs0 - The dollar token has the lower address. */
export const tokenPoolOf = (pool: Pool, usdIs0: boolean): TokenPool =>
  isMintagePool(pool) ? pool : { ...pool, usdIs0 };

/** Whether swaps pay a fee of the pool's own, so that our fees around them are the builder's alone. */
export const hasTierFee = (pool: Pool): boolean => !isMintagePool(pool) && takesTierFee(pool);

/**
 * What an order through the Launchpad does to a graduated token's pool, to the base unit.
 *
 * @throws AMOUNT_TOO_SMALL, FEES_EXCEED_AMOUNT, PARTIAL_FILL (more than the pool has).
 */
export const quotePool = (pool: TokenPool, order: TradeOrder): PoolTrade => {
  if (isMintagePool(pool)) return { ...quoteMintagePool(pool, order), tierFeeIn: null };
  const trade = quoteExchangePool(pool, order);
  return takesTierFee(pool) ? trade : { ...trade, tierFeeIn: null };
};

/** The pool's marginal price. */
export const poolPrice = (pool: TokenPool): Price =>
  isMintagePool(pool) ? mintagePoolPrice(pool) : exchangePoolPrice(pool);
