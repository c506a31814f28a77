import type { Row } from '@mintage/indexer/db';
import { curvePrice, type Price } from '@mintage/protocol';
import { usd18 } from './usd.ts';

type Priced = Pick<Row<'token'>, 'address' | 'virtual_tokens' | 'virtual_usd' | 'sqrt_price_x96'>;

/** The price after the last trade, on the pool once there is one. */
export const tokenPrice = (token: Priced, usd: string): Price =>
  token.sqrt_price_x96 === null
    ? curvePrice({ virtualTokens: token.virtual_tokens, virtualUsd: token.virtual_usd, tokensLeft: 0n, reserveUsd: 0n })
    : poolPrice(token.sqrt_price_x96, BigInt(token.address) < BigInt(usd));

/** The pool's price of the token; a pool counts currency 1 for currency 0, currencies in the order of their addresses. */
export const poolPrice = (sqrtPriceX96: bigint, tokenIsCurrency0: boolean): Price => {
  const squared = sqrtPriceX96 * sqrtPriceX96;
  const one = 1n << 192n;
  return tokenIsCurrency0 ? { usd: squared, tokens: one } : { usd: one, tokens: squared };
};

/** USD that token base units are worth at a price, 18 fraction digits, rounded down. */
export const valueUsd18Floor = (tokens: bigint, price: Price, usdDecimals: number): bigint =>
  usd18(tokens * price.usd, usdDecimals) / price.tokens;
