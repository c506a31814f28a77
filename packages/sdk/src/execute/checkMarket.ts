import { isExactIn, limitOf, MintageError, type OrderTerms, priceOrder } from '@mintage/protocol';
import { BaseError, type Hex } from 'viem';
import { type ReadState, readState } from '../quotes/readState.ts';
import type { TrustedChain } from '../trusted.ts';
import { differs } from './differs.ts';
import type { Wallet } from './wallet.ts';

/** An order of a token that others trade as well, and by what its limit was chosen. */
export interface MarketOrder {
  token: Hex;
  terms: OrderTerms;
  /** Base units of what is not exact: the least out, or the most in. */
  limit: bigint;
  slippageBps: bigint;
  /** Block of the quote; null: the answer names none. */
  blockNumber: bigint | null;
}

/** How old the state of a quote may be, seconds of the chain: four times what a quote on the curve is good for. */
const oldestQuoteSeconds = 60;

/**
 * Holds an order's limit against the chain, since a service that invents the state of its quote may choose any limit: at the newest
 * block, or where the price got better since, at the quote's own.
 *
 * @throws MintageError BYTES_DIFFER; what `priceOrder` throws where the chain has no price for the order.
 */
export const checkMarket = async (client: Wallet, chain: TrustedChain, order: MarketOrder): Promise<void> => {
  const newest = await readState(client, chain, order.token);
  const bound = boundAt(newest, order);
  if (isWithin(order, bound)) return;
  const then = order.blockNumber === null ? null : await stateAt(client, chain, order, order.blockNumber);
  if (then !== null && newest.timestamp - then.timestamp <= oldestQuoteSeconds && isWithin(order, boundAt(then, order)))
    return;
  const side = isExactIn(order.terms.kind) ? 'at least' : 'at most';
  throw differs('order.limit', order.limit, `${side} ${bound} by the chain’s block ${newest.blockNumber}`);
};

/** What the slippage allows at this state. */
const boundAt = (state: ReadState, { terms, slippageBps }: MarketOrder): bigint =>
  limitOf(priceOrder(state, terms).trade, slippageBps);

const isWithin = ({ terms, limit }: MarketOrder, bound: bigint): boolean =>
  isExactIn(terms.kind) ? limit >= bound : limit <= bound;

/** Null where the chain's node does not know that block, or nothing of this token there. */
const stateAt = async (
  client: Wallet,
  chain: TrustedChain,
  { token }: MarketOrder,
  blockNumber: bigint,
): Promise<ReadState | null> => {
  try {
    return await readState(client, chain, token, blockNumber);
  } catch (error) {
    if (error instanceof BaseError || error instanceof MintageError) return null;
    throw error;
  }
};
