import { type Candles, supply } from '../../lib/candles.ts';
import { compact, numberToText } from '../../lib/format.ts';
import * as t from '../../messages/en/chart.ts';
import type { Unit } from './drawChart.ts';

/** What the chart shows, in a sentence. */
export const wordsOf = ({ list, interval }: Candles, unit: Unit): string => {
  const [first] = list;
  const last = list.at(-1);
  if (first === undefined || last === undefined) return t.chart.nothing;
  const low = Math.min(...list.map((candle) => candle[3]));
  const high = Math.max(...list.map((candle) => candle[2]));
  const value = (cap: number): string =>
    unit === 'cap' ? compact(cap) : numberToText(Number((cap / supply).toPrecision(4)));
  return t.chart.words({
    what: t.chart.units[unit],
    since: new Date(first[0] * 1_000).toISOString().slice(0, 16).replace('T', ' '),
    interval,
    from: value(first[1]),
    to: value(last[4]),
    low: value(low),
    high: value(high),
  });
};
