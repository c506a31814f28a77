import { invalid } from '../schemas/errors.ts';
import { type Decimals, unitsFromNumberText, unitsFromString } from './decimal.ts';
import type { TradeKind } from './trade.ts';

/** The exact side of an order, base units: USD for `buyExactIn` and `sellExactOut`, tokens for the other two. */
export interface ExactAmount {
  kind: TradeKind;
  amount: bigint;
}

/** The four amount fields of a trade: a number is whole units, a string base units. */
export interface AmountFields {
  direction: 'buy' | 'sell';
  buyAmountUSD?: number;
  buyAmountToken?: number | string;
  sellAmountToken?: number | string;
  sellAmountUSD?: number;
}

const fields = [
  { field: 'buyAmountUSD', direction: 'buy', kind: 'buyExactIn', unit: 'usd' },
  { field: 'buyAmountToken', direction: 'buy', kind: 'buyExactOut', unit: 'token' },
  { field: 'sellAmountToken', direction: 'sell', kind: 'sellExactIn', unit: 'token' },
  { field: 'sellAmountUSD', direction: 'sell', kind: 'sellExactOut', unit: 'usd' },
] as const;

/**
 * Determines which of the four trades is meant, and its amount. Nothing is guessed: exactly one field is set, and it
 * fits the direction.
 *
 * @throws MintageError INVALID_PARAMETERS naming the field.
 */
export const exactAmountOf = (input: AmountFields, decimals: Decimals): ExactAmount => {
  const given = fields.filter(({ field }) => input[field] !== undefined);
  const fitting = fields.filter(({ direction }) => direction === input.direction).map(({ field }) => field);
  const [one, another] = given;
  if (one === undefined) throw invalid(fitting[0] as string, `send one amount: ${fitting.join(' or ')}`);
  if (another !== undefined) throw invalid(another.field, `send only one amount, not ${one.field} too`);
  if (one.direction !== input.direction)
    throw invalid(one.field, `does not fit a ${input.direction}; send ${fitting.join(' or ')}`);
  return { kind: one.kind, amount: unitsOf(input[one.field] as number | string, decimals[one.unit], one.field) };
};

/** Converts a number of whole units, or a string of base units, to base units; more than zero, exact. */
export const unitsOf = (value: number | string, decimals: number, path: string): bigint =>
  typeof value === 'string' ? unitsFromString(value, path) : unitsFromNumberText(plainText(value), decimals, path);

/**
 * Decimal text of a number: JavaScript prints numbers below 0.000001 with an exponent, even when the caller did not.
 */
const plainText = (value: number): string => {
  const text = String(value);
  if (!text.includes('e')) return text;
  const match = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = ''] = match;
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${whole}${fraction}`;
};
