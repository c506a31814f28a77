import { tokenDecimalsOn } from '@mintage/protocol';
import type { ServedChain } from '@mintage/sdk';
import { decimal, unitsToText } from '../../lib/format.ts';
import type { Traded } from './market.ts';
import type { Unit } from './terms.ts';

/** An amount of the token or the dollar, ready to be shown. */
export interface Shown {
  /** All of it, decimal text. */
  full: string;
  /** As many places as matter. */
  text: string;
  symbol: string;
}

export interface Units {
  usd: { symbol: string; decimals: number };
  token: { symbol: string; decimals: number };
}

export const unitsOf = (token: Traded, chain: ServedChain | undefined): Units => ({
  usd: { symbol: chain?.dollarToken.symbol ?? 'USD', decimals: chain?.dollarToken.decimals ?? 6 },
  token: { symbol: token.symbol, decimals: tokenDecimalsOn(token.chainSlug) },
});

/** Places that matter: none of thousands of tokens, cents of dollars, more of what is less. */
const placesOf = (amount: bigint, unit: Unit, decimals: number): number => {
  const one = 10n ** BigInt(decimals);
  if (amount >= 1_000n * one) return unit === 'usd' ? 2 : 0;
  if (amount >= one / 10n) return 2;
  return 6;
};

/**
 * @param side - `least` is cut and `most` is rounded up, so that nobody is promised more or asked for more than is shown.
 */
export const shown = (amount: bigint, unit: Unit, units: Units, side: 'least' | 'most' = 'least'): Shown => {
  const { symbol, decimals } = units[unit];
  const places = Math.min(placesOf(amount, unit, decimals), decimals);
  const step = 10n ** BigInt(decimals - places);
  const seen = side === 'most' ? ((amount + step - 1n) / step) * step : amount;
  return {
    full: exactText(amount, decimals),
    text: decimal(unitsToText(seen, decimals), places, unit === 'usd' && places === 2),
    symbol,
  };
};

/** All digits that there are, without zeros at the end. */
export const exactText = (amount: bigint, decimals: number): string =>
  unitsToText(amount, decimals)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');

/** With its unit: `1,453,880 BOAT`. */
export const said = ({ text, symbol }: Shown): string => `${text} ${symbol}`;

/** All of it with its unit: `100.5 USDC`. */
export const saidExactly = (amount: bigint, unit: Unit, units: Units): string =>
  `${decimal(exactText(amount, units[unit].decimals), 18)} ${units[unit].symbol}`;
