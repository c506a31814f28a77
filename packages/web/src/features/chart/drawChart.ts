/** The lazy part of the chart: the library that draws it. */
import {
  type CandlestickData,
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IPriceLine,
  LineStyle,
  PriceScaleMode,
  type UTCTimestamp,
} from 'lightweight-charts';
import { type Candle, supply } from '../../lib/candles.ts';
import * as t from '../../messages/en/chart.ts';
import { axisPrice, axisUsd } from './axis.ts';
import { chartColors } from './colors.ts';
import { poolLine } from './poolLine.ts';

export type Unit = 'cap' | 'price';

/** A trade of the person's own. */
export interface Mark {
  time: number;
  side: 'buy' | 'sell';
}

export interface Shown {
  list: readonly Candle[];
  /** Another interval or token: the view begins anew. */
  viewKey: string;
  unit: Unit;
  /** Dollars; null: it graduated, and the line would say nothing. */
  graduatesAt: number | null;
  /** When the pool opened, Unix seconds. */
  pooledAt: number | null;
  marks: readonly Mark[];
}

export interface DrawnChart {
  show(shown: Shown): void;
  /** Takes the colours of the page anew. */
  recolor(): void;
  remove(): void;
}

/** Candles that are in view at first, where there are more. */
const inView = 180;
/** So few are not drawn as wide as there is room. */
const fewInView = 40;
/** Empty places at both ends at least. */
const besideEnds = 4;
/** As wide as half of what is written at the first candle, so that it is not cut; pixels. */
const besideFirst = 36;

/** The line at which it graduates is in view from a third of it on; before, the candles below it would be flat. */
const nearTarget = 3;

/** @param onEarly - Called when the view comes near the first candle. */
export const drawChart = (element: HTMLElement, onEarly: () => void): DrawnChart => {
  let shown: Shown | null = null;
  let target: IPriceLine | null = null;

  const chart = createChart(element, {
    autoSize: true,
    layout: { attributionLogo: false, fontSize: 11, fontFamily: getComputedStyle(document.body).fontFamily },
    grid: { vertLines: { visible: false } },
    rightPriceScale: {
      borderVisible: false,
      mode: PriceScaleMode.Logarithmic,
      scaleMargins: { top: 0.08, bottom: 0.2 },
    },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      secondsVisible: false,
      rightOffset: 4,
      minBarSpacing: 0.5,
      maxBarSpacing: 14,
      tickMarkFormatter: (time: number, type: number) => tick(time, type),
    },
    handleScale: { mouseWheel: false },
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    localization: { locale: t.locale, timeFormatter: (time: number) => moment(time) },
  });
  const format = (cap: number): string => (shown?.unit === 'price' ? axisPrice(cap / supply) : axisUsd(cap));
  const candles = chart.addSeries(CandlestickSeries, {
    borderVisible: false,
    priceFormat: { type: 'custom', minMove: 0.01, formatter: format },
    autoscaleInfoProvider: (original: () => { priceRange: { minValue: number; maxValue: number } | null } | null) => {
      const info = original();
      const target = shown?.graduatesAt ?? null;
      if (info?.priceRange && target !== null && target <= info.priceRange.maxValue * nearTarget)
        info.priceRange.maxValue = Math.max(info.priceRange.maxValue, target * 1.02);
      return info;
    },
  });
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'volume' },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.86, bottom: 0 } });
  const marks = createSeriesMarkers(candles, []);
  const pool = poolLine();
  candles.attachPrimitive(pool.primitive);
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    if (range !== null && range.from < 5) onEarly();
  });

  /** Whether the person chose what is in view. */
  let isMoved = false;
  element.addEventListener('pointerdown', () => {
    isMoved = true;
  });
  const fit = (): void => {
    const length = shown?.list.length ?? 0;
    if (length === 0) return;
    if (length < fewInView) chart.timeScale().fitContent();
    else {
      const ahead = Math.max(besideEnds, Math.ceil((besideFirst * length) / element.clientWidth));
      chart.timeScale().setVisibleLogicalRange({ from: Math.max(-ahead, length - inView), to: length + besideEnds });
    }
  };
  chart.timeScale().subscribeSizeChange(() => {
    if (!isMoved) fit();
  });

  const recolor = (): void => {
    const color = chartColors();
    chart.applyOptions({
      layout: { background: { color: 'transparent' }, textColor: color.text },
      grid: { horzLines: { color: color.line } },
      crosshair: {
        vertLine: { color: color.control, labelBackgroundColor: color.ink },
        horzLine: { color: color.control, labelBackgroundColor: color.ink },
      },
    });
    candles.applyOptions({
      upColor: color.up,
      wickUpColor: color.up,
      downColor: color.down,
      wickDownColor: color.down,
      priceLineColor: color.control,
    });
    volume.applyOptions({ color: color.line });
    target?.applyOptions({ color: color.brand, axisLabelColor: color.brandText, axisLabelTextColor: color.onInk });
    pool.set({ color: color.control, text: color.text });
    if (shown !== null) marks.setMarkers(markersOf(shown.marks, color.ink));
  };

  const show = (next: Shown): void => {
    const before = shown;
    shown = next;
    const isNew = before?.viewKey !== next.viewKey;
    const from = isNew || before === null ? 0 : sameUntil(before.list, next.list);
    // Only the end differs: that is put in place, and nothing else is drawn anew.
    if (!isNew && before !== null && from >= before.list.length - 1 && from > 0) {
      for (const candle of next.list.slice(from)) {
        candles.update(bar(candle));
        volume.update(column(candle));
      }
    } else {
      candles.setData(next.list.map(bar));
      volume.setData(next.list.map(column));
    }
    if (next.graduatesAt === null) {
      if (target !== null) candles.removePriceLine(target);
      target = null;
    } else if (target === null) {
      const color = chartColors();
      target = candles.createPriceLine({
        price: next.graduatesAt,
        color: color.brand,
        lineWidth: 1,
        lineStyle: LineStyle.Dashed,
        axisLabelVisible: true,
        axisLabelColor: color.brandText,
        axisLabelTextColor: color.onInk,
        title: '',
      });
    }
    pool.set({ time: next.pooledAt });
    marks.setMarkers(markersOf(next.marks, chartColors().ink));
    if (before?.unit !== next.unit)
      candles.applyOptions({ priceFormat: { type: 'custom', minMove: 0.01, formatter: format } });
    if (!isNew) return;
    isMoved = false;
    fit();
  };

  recolor();
  return { show, recolor, remove: () => chart.remove() };
};

/** How many candles from the beginning are the very same. */
const sameUntil = (before: readonly Candle[], now: readonly Candle[]): number => {
  let at = 0;
  while (at < before.length && at < now.length && isSame(before[at], now[at])) at += 1;
  return at;
};

const isSame = (one: Candle | undefined, other: Candle | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && one.every((value, index) => value === other[index]));

const bar = ([time, open, high, low, close]: Candle): CandlestickData => ({
  time: time as UTCTimestamp,
  open,
  high,
  low,
  close,
});

const column = ([time, , , , , value]: Candle) => ({ time: time as UTCTimestamp, value });

const markersOf = (all: readonly Mark[], color: string) =>
  all.map(({ time, side }) => ({
    time: time as UTCTimestamp,
    position: side === 'buy' ? ('belowBar' as const) : ('aboveBar' as const),
    shape: 'circle' as const,
    size: 0.8,
    color,
    text: side === 'buy' ? t.chart.youBought : t.chart.youSold,
  }));

const two = (value: number): string => String(value).padStart(2, '0');

/** In the person's own time. */
const tick = (seconds: number, type: number): string => {
  const at = new Date(seconds * 1_000);
  // The library's kinds: 0 a year, 1 a month, 2 a day, 3 a time.
  if (type === 0) return String(at.getFullYear());
  if (type === 1) return at.toLocaleDateString(t.locale, { month: 'short' });
  if (type === 2) return at.toLocaleDateString(t.locale, { day: 'numeric', month: 'short' });
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
};

const moment = (seconds: number): string =>
  new Date(seconds * 1_000).toLocaleString(t.locale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  });
