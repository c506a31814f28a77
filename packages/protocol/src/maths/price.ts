import { type Address, isBefore } from '../chains/address.ts';
import { formatRatioDown } from './decimal.ts';
import { poolPrice } from './pool/quotePool.ts';
import { tokenDecimals, totalSupply } from './poolTypes.ts';
import type { Price } from './trade.ts';

const tokenUnit = 10n ** BigInt(tokenDecimals);

/** USD per whole token as decimal text: 18 fraction digits, rounded down. */
export const formatPriceUsd = ({ usd, tokens }: Price, usdDecimals: number): string =>
  formatRatioDown(usd * tokenUnit, tokens * 10n ** BigInt(usdDecimals));

/** The same price as a number: USD of one whole token with 18 fraction digits, rounded down. */
export const priceUsd18Down = ({ usd, tokens }: Price, usdDecimals: number): bigint =>
  (usd * tokenUnit * 10n ** BigInt(18 - usdDecimals)) / tokens;

/** What decides a token's price: its curve, and its pool once there is one. */
export interface MarketState {
  /** Address of the token. */
  token: Address;
  /** Address of the dollar token. */
  usd: Address;
  /** A of the curve, token base units (18 decimals). */
  virtualTokens: bigint;
  /** B of the curve, USD base units. */
  virtualUsd: bigint;
  /** Square root of the pool's price in 96 bit fixed point; null before graduation. */
  sqrtPriceX96: bigint | null;
}

/** The price after the last trade: B/A of the curve, the pool's own once there is one. */
export const marketPrice = ({ token, usd, virtualTokens, virtualUsd, sqrtPriceX96 }: MarketState): Price =>
  sqrtPriceX96 === null
    ? { usd: virtualUsd, tokens: virtualTokens }
    : poolPrice({ sqrtPriceX96, usdIs0: usdIs0(token, usd) });

/** A pool counts currency 1 for currency 0, and the currencies are in the order of their addresses. */
export const usdIs0 = (token: Address, usd: Address): boolean => isBefore(usd, token);

/** USD for the whole supply at this price as decimal text: 18 fraction digits, rounded down. */
export const formatFdvUsd = ({ usd, tokens }: Price, usdDecimals: number): string =>
  formatRatioDown(usd * tokenUnit * totalSupply, tokens * 10n ** BigInt(usdDecimals));
