/**
 * Numbers as people read them. Amounts stay decimal text: they are cut, never rounded up, so that no page shows more than there is.
 */

/** Groups of three by a comma: `1,453,880`. */
const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/**
 * Decimal text with at most so many places, cut.
 *
 * @param places - Also the least where `isFixed`, filled up by zeros.
 */
export const decimal = (text: string, places: number, isFixed = false): string => {
  const [, sign = '', whole = '0', part = ''] = /^([-−]?)(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  const cut = part.slice(0, places);
  const shown = isFixed ? cut.padEnd(places, '0') : cut.replace(/0+$/, '');
  const digits = `${grouped(whole.replace(/^0+(?=\d)/, ''))}${shown === '' ? '' : `.${shown}`}`;
  return sign === '' || /^[0.,]*$/.test(digits) ? digits : `−${digits}`;
};

/** Base units as decimal text. */
export const unitsToText = (units: bigint, decimals: number): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const [whole, part] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)];
  return `${units < 0n ? '-' : ''}${whole}${decimals === 0 ? '' : `.${part}`}`;
};

/** A number as plain decimal text; `1e-9` becomes 0.000000001. */
export const numberToText = (value: number): string => {
  if (!Number.isFinite(value)) return '0';
  const text = String(value);
  if (!text.includes('e')) return text;
  return value.toFixed(20).replace(/\.?0+$/, '');
};

const asText = (value: string | number): string => (typeof value === 'number' ? numberToText(value) : value);

const steps: readonly [at: number, by: string][] = [
  [13, 'T'],
  [10, 'B'],
  [7, 'M'],
  [4, 'k'],
];

/** Three to four digits with k, M, B or T: `67.2k`, `1.84M`, `480`. Cut. */
export const compact = (value: string | number): string => {
  const text = asText(value).replace(/^-/, '');
  const [whole = '0', part = ''] = text.split('.');
  const digits = whole.replace(/^0+(?=\d)/, '');
  const step = steps.find(([at]) => digits.length >= at);
  if (step === undefined) return decimal(`${digits}.${part}`, digits.length >= 3 || digits === '0' ? 2 : 2);
  const point = digits.length - (step[0] - 1);
  const places = Math.max(0, 3 - point);
  return `${decimal(`${digits.slice(0, point)}.${digits.slice(point)}`, places, true)}${step[1]}`;
};

/** A price of many zeros, apart: of 0.00000672 the zeros are 5 and the digits 672. Null: it has fewer than three, or is 0. */
export const smallPrice = (value: string | number): { zeros: number; digits: string } | null => {
  const match = /^0?\.(0{3,})([1-9]\d*)$/.exec(asText(value));
  return match?.[1] === undefined || match[2] === undefined
    ? null
    : { zeros: match[1].length, digits: match[2].slice(0, 3).replace(/0+$/, '') || '0' };
};

/** Four significant digits of a price that is not small. */
export const price = (value: string | number): string => {
  const text = asText(value);
  const [whole = '0', part = ''] = text.split('.');
  if (whole.replace(/^0+/, '') !== '') return decimal(text, Math.max(2, 5 - whole.length), false);
  const zeros = /^0*/.exec(part)?.[0].length ?? 0;
  return decimal(text, zeros + 4);
};

/** With its sign and one place: `+18.4 %`, `−2.1 %`. */
export const change = (percent: string | number): string => {
  const value = Number(percent);
  const text = Math.abs(value) >= 1_000 ? compact(Math.abs(value)) : Math.abs(value).toFixed(1);
  if (text === '0.0') return '0.0 %';
  return `${value < 0 ? '−' : '+'}${text} %`;
};

/** A share in percent: `33.3 %`; less than a tenth as `< 0.1 %`. */
export const share = (percent: string | number): string => {
  const value = Number(percent);
  if (value > 0 && value < 0.1) return '< 0.1 %';
  return `${(Math.floor(value * 10) / 10).toFixed(value >= 100 || Number.isInteger(value) ? 0 : 1)} %`;
};

/** Basis points in percent, exact: `53.67 %`. */
export const percentOfBps = (bps: number): string => `${decimal(unitsToText(BigInt(bps), 2), 2)} %`;

/** How long ago, in its largest unit: `43 s`, `11 min`, `2 h`, `6 d`. */
export const ago = (atMs: number, nowMs: number): string => {
  const seconds = Math.max(0, Math.floor((nowMs - atMs) / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
};

/** An address or hash as people compare it: its first six and last four characters. */
export const short = (address: string): string =>
  address.length <= 12 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`;
