import type { ReactNode } from 'react';
import { percentOfBps } from '../../lib/format.ts';
import * as t from '../../messages/en/trade.ts';
import { lowestBps, type OpeningFee as Opening, stairs } from './figures.ts';

/** Size of the drawing, and where its steps are. */
const [width, top, bottom] = [316, 18, 70];
const first = stairs[0] ?? lowestBps;
const x = (second: number): number => 1 + (second * (width - 2)) / stairs.length;
const y = (value: number): number => bottom - (value / first) * (bottom - top);

/** The steps of these seconds as a line; it begins at the first one's height. */
const line = (from: number, to: number): string =>
  stairs
    .slice(from, to)
    .map((value, at) => `${at === 0 ? 'M' : 'L'}${x(from + at)} ${y(value)}H${x(from + at + 1)}`)
    .join('');

/** The fee of a token's first seconds as the stairs that it is. When it is over, the last step stays. */
export const OpeningFee = ({ fee, children }: { fee: Opening | null; children: ReactNode }) => {
  const now = fee?.ageSeconds ?? stairs.length - 1;
  const last = stairs.length - 1;
  return (
    <section className="clock" aria-label={t.trade.opening.title}>
      <div>
        <div className="soft t2">{t.trade.opening.title}</div>
        <div className="v">
          {fee === null
            ? t.trade.opening.over(percentOfBps(lowestBps))
            : t.trade.opening.now(percentOfBps(fee.feeBps), percentOfBps(lowestBps), fee.secondsLeft)}
        </div>
      </div>
      <svg viewBox={`0 0 ${width} 84`} aria-hidden="true">
        <path className="fallen" d={`${line(now, stairs.length)}V${bottom}H${x(now)}Z`} />
        <path className="base" d={`M1 ${bottom}H${width - 1}`} />
        {now > 0 && <path className="passed" d={`${line(0, now)}V${y(stairs[now] ?? 0)}`} />}
        <path className="fall" d={line(now, stairs.length)} />
        <circle cx={x(now) + 6} cy={y(stairs[now] ?? 0)} r="5" />
        {now > 0 && (
          <text x="1" y="12">
            {percentOfBps(first)}
          </text>
        )}
        {now < last && (
          <text className="strong" x={x(now) + 4} y={y(stairs[now] ?? 0) - 9}>
            {t.trade.opening.mark}
          </text>
        )}
        <text className="strong" x={width - 1} y={y(stairs[last] ?? 0) - 7} textAnchor="end">
          {percentOfBps(lowestBps)}
        </text>
        <text x="1" y="83">
          {t.trade.opening.created}
        </text>
        <text x={x(last)} y="83" textAnchor="middle">
          {t.trade.opening.end(last)}
        </text>
      </svg>
      {children}
    </section>
  );
};
