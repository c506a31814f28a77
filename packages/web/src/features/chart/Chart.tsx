import type { TokenAbout } from '@mintage/sdk';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { bucketOf, type Candles, type Interval, intervalFor, intervals } from '../../lib/candles.ts';
import { useDeployment } from '../../lib/deployment.ts';
import { compact } from '../../lib/format.ts';
import { raisedOf } from '../../lib/raised.ts';
import { readEarlierCandles, tokenCandles, tokenCurve, tokenTrades } from '../../lib/tokenQueries.ts';
import { useWallet } from '../../lib/wallet.ts';
import * as t from '../../messages/en/chart.ts';
import { TransactionLink } from '../../ui/ChainLink.tsx';
import { Coin } from '../../ui/Coin.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { onTheme } from './colors.ts';
import type { DrawnChart, Mark, Unit } from './drawChart.ts';
import { ownTrades } from './ownTrades.ts';
import { wordsOf } from './words.ts';
import './chart.css';

/** The token's market cap or price over time: one line of candles, on the curve and then in the pool. */
export const Chart = ({ about }: { about: TokenAbout }) => {
  const client = useQueryClient();
  const { renderedAtMs } = useDeployment();
  const [interval, setInterval] = useState<Interval>(() => intervalFor(renderedAtMs - Date.parse(about.created_at)));
  const [unit, setUnit] = useState<Unit>('cap');
  const { data, error, refetch } = useQuery({ ...tokenCandles(about.id, interval), placeholderData: keepPreviousData });
  const { data: curve } = useQuery(tokenCurve(about.id));
  const { data: trades } = useQuery(tokenTrades(about.id));
  const wallet = useWallet();
  const { data: own } = useQuery(ownTrades(about.id, wallet?.address ?? null));
  const graduatesAt = curve === undefined || about.graduated ? null : raisedOf(curve).graduatesAt;
  const pooledAt = about.graduated_at === null ? null : Date.parse(about.graduated_at);
  const marks = useMemo(() => marksOf(own ?? [], data?.interval ?? interval), [own, data?.interval, interval]);
  const words = data === undefined ? t.loading : wordsOf(data, unit);
  const traded = trades?.rows.filter(({ isTakenBack }) => !isTakenBack) ?? [];
  // One trade, or none: a chart of it would be one line.
  const isBare = trades !== undefined && trades.isWhole && traded.length < 2;
  const [first] = traded;
  return (
    <>
      <div className="chart-head">
        <div className="seg" data-size="s" role="group" aria-label={t.chart.interval}>
          {(Object.keys(intervals) as Interval[]).map((one) => (
            <button key={one} type="button" aria-pressed={one === interval} onClick={() => setInterval(one)}>
              {one}
            </button>
          ))}
        </div>
        <div className="seg wide" data-size="s" role="group" aria-label={t.chart.unit}>
          {(['cap', 'price'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={one === unit} onClick={() => setUnit(one)}>
              {t.chart.units[one]}
            </button>
          ))}
        </div>
      </div>
      {error !== null && data === undefined && <Problem error={error} onRetry={() => void refetch()} />}
      {isBare ? (
        <div className="chart chart-empty">
          <Coin picture={about.logo} symbol={about.symbol} size="xl" />
          <b>{first === undefined ? t.chart.noTrade : t.chart.oneTrade}</b>
          <p className="soft">
            {t.chart.startsLater}{' '}
            {first !== undefined && (
              <TransactionLink className="link" chain={first.chain} hash={first.hash}>
                {t.chart.seeTrade}
              </TransactionLink>
            )}
          </p>
        </div>
      ) : (
        <div className="chart" role="img" aria-label={words}>
          {data !== undefined && (
            <Drawing
              candles={data}
              unit={unit}
              graduatesAt={graduatesAt}
              pooledAt={pooledAt === null ? null : bucketOf(pooledAt, data.interval)}
              marks={marks}
              onEarly={() => void readEarlierCandles(client, about.id, data.interval)}
            />
          )}
        </div>
      )}
      <div className="chart-foot">
        <span>
          {graduatesAt !== null && !isBare && t.chart.graduates(`$${compact(Math.round(graduatesAt))}`)}
          {pooledAt !== null && t.chart.upright}
        </span>
        <span className="nowrap">
          {t.chart.by}{' '}
          <a className="link" href="https://www.tradingview.com/" target="_blank" rel="noopener">
            TradingView
          </a>
        </span>
      </div>
    </>
  );
};

const marksOf = (trades: readonly { at: string; side: 'buy' | 'sell' }[], interval: Interval): Mark[] =>
  trades
    .map(({ at, side }) => ({ time: bucketOf(Date.parse(at), interval), side }))
    .toSorted((one, other) => one.time - other.time);

interface Drawn {
  candles: Candles;
  unit: Unit;
  graduatesAt: number | null;
  pooledAt: number | null;
  marks: readonly Mark[];
  onEarly(): void;
}

/** The canvas. It is made once and then only told what changed, so that it never vanishes. */
const Drawing = (drawn: Drawn) => {
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<DrawnChart | null>(null);
  const newest = useRef(drawn);
  newest.current = drawn;
  useEffect(() => {
    let isWanted = true;
    let endTheme = (): void => undefined;
    void import('./drawChart.ts').then(({ drawChart }) => {
      if (!isWanted || element.current === null) return;
      const made = drawChart(element.current, () => newest.current.onEarly());
      chart.current = made;
      endTheme = onTheme(made.recolor);
      show(made, newest.current);
      element.current.dataset.drawn = '';
    });
    return () => {
      isWanted = false;
      endTheme();
      chart.current?.remove();
      chart.current = null;
    };
  }, []);
  const { candles, unit, graduatesAt, pooledAt, marks } = drawn;
  useEffect(() => {
    if (chart.current !== null) show(chart.current, { ...newest.current, candles, unit, graduatesAt, pooledAt, marks });
  }, [candles, unit, graduatesAt, pooledAt, marks]);
  return <div className="drawing" ref={element} />;
};

const show = (chart: DrawnChart, { candles, unit, graduatesAt, pooledAt, marks }: Drawn): void =>
  chart.show({ list: candles.list, viewKey: candles.interval, unit, graduatesAt, pooledAt, marks });
