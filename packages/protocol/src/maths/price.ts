import { type Address, isBefore } from '../chains/address.ts';
import { type Decimals, formatRatioDown, units18 } from './decimal.ts';
import { exchangePoolPrice } from './pool/exchangePool.ts';
import { totalSupply } from './poolTypes.ts';
import type { Price } from './trade.ts';

/** USD per whole token as decimal text: 18 fraction digits, rounded down. */
export const formatPriceUsd = ({ usd, tokens }: Price, decimals: Decimals): string =>
  formatRatioDown(usd * 10n ** BigInt(decimals.token), tokens * 10n ** BigInt(decimals.usd));

/** The same price as a number: USD of one whole token with 18 fraction digits, rounded down. */
export const priceUsd18Down = ({ usd, tokens }: Price, decimals: Decimals): bigint =>
  (units18(usd, decimals.usd) * 10n ** BigInt(decimals.token)) / tokens;

/** What so many base units of a token are worth at such a price, rounded down: USD with 18 fraction digits. */
export const valueUsd18Down = (amount: bigint, priceUsd18: bigint, tokenDecimals: number): bigint =>
  (amount * priceUsd18) / 10n ** BigInt(tokenDecimals);

/** What decides a token's price: its curve, and its pool once there is one. */
export interface MarketState {
  /** Address of the token. */
  token: Address;
  /** Address of the dollar token. */
  usd: Address;
  /** A of the curve, token base units. */
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
    : exchangePoolPrice({ sqrtPriceX96, usdIs0: usdIs0(token, usd) });

/** A pool counts currency 1 for currency 0, and the currencies are in the order of their addresses. */
export const usdIs0 = (token: Address, usd: Address): boolean => isBefore(usd, token);

/** USD for the whole supply at this price as decimal text: 18 fraction digits, rounded down. */
export const formatFdvUsd = ({ usd, tokens }: Price, decimals: Decimals): string =>
  formatRatioDown(usd * 10n ** BigInt(decimals.token) * totalSupply, tokens * 10n ** BigInt(decimals.usd));
