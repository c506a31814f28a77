import { formatUnits } from 'viem';

/** Amounts and times as people read them. What limits a trade is never shortened: these are for lists. */

/** Decimal text with at most so many fraction digits, the others cut off. */
export const short = (amount: string | null | undefined, digits = 4): string | null => {
  if (amount === null || amount === undefined) return null;
  const [whole = '', fraction = ''] = amount.split('.');
  const kept = fraction.slice(0, digits).replace(/0+$/, '');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ' ');
  return kept === '' ? grouped : `${grouped}.${kept}`;
};

/** Dollars: of numbers and of decimal text; small prices keep three significant digits, or as many as are asked for. */
export const dollars = (amount: number | string | null | undefined, digits = 3): string | null => {
  if (amount === null || amount === undefined) return null;
  const value = Number(amount);
  const sign = value < 0 ? '-' : '';
  const size = Math.abs(value);
  if (size !== 0 && size < 0.01) return `${sign}$${size.toPrecision(digits).replace(/e-(\d+)$/, '·10^-$1')}`;
  return `${sign}$${short(size.toFixed(Math.max(2, digits - 1)), digits - 1)}`;
};

/** `1 token`, `2 tokens`. */
export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

export const percent = (bps: number): string => `${(bps / 100).toFixed(2).replace(/\.?0+$/, '')} %`;

/** How long ago, or in how long. */
export const ago = (time: string | null | undefined, nowMs = Date.now()): string | null => {
  if (time === null || time === undefined) return null;
  const seconds = Math.round((nowMs - Date.parse(time)) / 1_000);
  const size = Math.abs(seconds);
  const [unit, length] = units.find(([, least]) => size >= least) ?? ['s', 1];
  const text = `${Math.floor(size / length)} ${unit}`;
  return seconds < 0 ? `in ${text}` : `${text} ago`;
};

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** An address or hash that is to be recognised, not copied. */
export const abridged = (address: string | null | undefined): string | null =>
  address && address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-4)}` : (address ?? null);

/** Of wei, in full. */
export const coins = (wei: string): string => `${formatUnits(BigInt(wei), 18)} of the coin`;
