import { onOutput as colours } from './colours.ts';

/** One interval, dollars as numbers: for the eye only. */
export interface Bar {
  open: number;
  high: number;
  low: number;
  close: number;
}

const [body, wick, thin] = ['┃', '│', '╻'];
const rows = 14;

/**
 * Candles as lines of text, the newest on the right, as many as fit; the prices of the highest, middle and lowest line beside them.
 *
 * @param width - Columns of the terminal.
 */
export const drawCandles = (
  bars: readonly Bar[],
  width: number,
  priceOf: (price: number, digits: number) => string,
): string => {
  const [top, bottom] = [Math.max(...bars.map(({ high }) => high)), Math.min(...bars.map(({ low }) => low))];
  const prices = [top, (top + bottom) / 2, bottom];
  // As many digits as tell them apart: within one hour a price may move by less than three show.
  const isApart = (texts: readonly string[]): boolean => top === bottom || new Set(texts).size === prices.length;
  const written = [3, 4, 5, 6, 7, 8].map((digits) => prices.map((price) => priceOf(price, digits)));
  const labels = written.find(isApart) ?? (written[0] as string[]);
  const margin = Math.max(...labels.map(({ length }) => length)) + 1;
  const fitting = bars.slice(-Math.max(1, width - margin - 1));
  const line = (row: number): string => {
    const [high, low] = [edge(row), edge(row + 1)];
    const label = row === 0 ? labels[0] : row === rows - 1 ? labels[2] : row === Math.floor(rows / 2) ? labels[1] : '';
    const drawn = fitting.map((bar) => {
      const tone = bar.close >= bar.open ? colours.green : colours.red;
      const [upper, lower] = [Math.max(bar.open, bar.close), Math.min(bar.open, bar.close)];
      if (upper === lower && isWithin(upper, low, high, row)) return tone(thin);
      if (upper > low && lower < high) return tone(body);
      return bar.high > low && bar.low < high ? tone(wick) : ' ';
    });
    return `${(label ?? '').padStart(margin)} ${drawn.join('')}`.trimEnd();
  };
  const edge = (row: number): number => top - ((top - bottom) * row) / rows;
  const isWithin = (price: number, low: number, high: number, row: number): boolean =>
    price > low ? price <= high : row === rows - 1 && price === low;
  return Array.from({ length: rows }, (_, row) => line(row)).join('\n');
};
