import type { Row } from '@mintage/indexer/db';
import { curvePrice, type Price, poolPrice } from '@mintage/protocol';
import { usd18 } from './usd.ts';

type Priced = Pick<Row<'token'>, 'address' | 'virtual_tokens' | 'virtual_usd' | 'sqrt_price_x96'>;

/** A pool counts currency 1 for currency 0, and the currencies are in the order of their addresses. */
export const usdIsCurrency0 = (token: string, usd: string): boolean => BigInt(usd) < BigInt(token);

/** The price after the last trade, on the pool once there is one. */
export const tokenPrice = (token: Priced, usd: string): Price =>
  token.sqrt_price_x96 === null
    ? curvePrice({ virtualTokens: token.virtual_tokens, virtualUsd: token.virtual_usd, tokensLeft: 0n, reserveUsd: 0n })
    : poolPrice({ sqrtPriceX96: token.sqrt_price_x96, usdIsCurrency0: usdIsCurrency0(token.address, usd) });

/** USD that token base units are worth at a price, 18 fraction digits, rounded down. */
export const valueUsd18Floor = (tokens: bigint, price: Price, usdDecimals: number): bigint =>
  usd18(tokens * price.usd, usdDecimals) / price.tokens;
