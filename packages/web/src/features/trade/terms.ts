import { type Decimals, isBuy, isExactIn, MintageError, parseUnits, type TradeKind } from '@mintage/protocol';
import type { TradeTokenInput } from '@mintage/sdk';
import { complete, typedAmount } from '../../lib/amounts.ts';

export type Side = 'buy' | 'sell';
/** What the amount in the field counts. */
export type Unit = 'usd' | 'token';

/** An order as a person means it: the exact side, base units. */
export interface Terms {
  kind: TradeKind;
  amount: bigint;
}

const kinds = {
  buy: { usd: 'buyExactIn', token: 'buyExactOut' },
  sell: { token: 'sellExactIn', usd: 'sellExactOut' },
} as const satisfies Record<Side, Record<Unit, TradeKind>>;

export const kindOf = (side: Side, unit: Unit): TradeKind => kinds[side][unit];

/** Whether the limit of this kind counts tokens; else it counts dollars. */
export const limitIsTokens = (kind: TradeKind): boolean => isBuy(kind) === isExactIn(kind);

/** Amounts of dollars are sent as numbers, of which so many digits are exact. */
const mostDigits = 15;

const isExactNumber = (text: string): boolean =>
  text.replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length <= mostDigits;

export type Read = { terms: Terms } | { wrong: 'none' | 'text' | 'places' | 'digits' };

/** The amount in the field as an order. */
export const readTerms = (side: Side, unit: Unit, text: string, decimals: Decimals): Read => {
  const kind = kindOf(side, unit);
  const typed = typedAmount(text);
  if (typed === null) return { wrong: 'text' };
  if (!/\d/.test(typed)) return { wrong: 'none' };
  const plain = complete(typed);
  if (unit === 'usd' && !isExactNumber(plain)) return { wrong: 'digits' };
  try {
    const amount = parseUnits(plain, decimals[unit]);
    return amount === 0n ? { wrong: 'none' } : { terms: { kind, amount } };
  } catch (error) {
    if (!(error instanceof MintageError)) throw error;
    return { wrong: 'places' };
  }
};

/** The most that can be typed of a balance: dollars are cut to the digits that a number keeps. */
export const wholeOf = (text: string, unit: Unit): string => {
  if (unit === 'token') return text;
  const [whole = '0', part = ''] = text.split('.');
  const digits = whole.replace(/^0+/, '').length;
  const places = part.slice(0, Math.max(0, mostDigits - digits)).replace(/0+$/, '');
  return places === '' ? whole : `${whole}.${places}`;
};

const numberOf = (text: string): number => Number(typedAmount(text));

/** The field of the call that says this amount. Tokens go as base units, dollars as the number that was typed. */
export const amountField = (
  { kind, amount }: Terms,
  text: string,
): Pick<TradeTokenInput, 'direction' | 'buyAmountUSD' | 'buyAmountToken' | 'sellAmountToken' | 'sellAmountUSD'> => {
  switch (kind) {
    case 'buyExactIn':
      return { direction: 'buy', buyAmountUSD: numberOf(text) };
    case 'buyExactOut':
      return { direction: 'buy', buyAmountToken: amount.toString() };
    case 'sellExactIn':
      return { direction: 'sell', sellAmountToken: amount.toString() };
    case 'sellExactOut':
      return { direction: 'sell', sellAmountUSD: numberOf(text) };
  }
};
