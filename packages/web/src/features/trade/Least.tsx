import { isExactIn, type TradeKind } from '@mintage/protocol';
import { decimal, percentOfBps } from '../../lib/format.ts';
import * as t from '../../messages/en/trade.ts';
import { Ring } from '../../ui/Ring.tsx';
import { type Figures, lowestBps, type OpeningFee } from './figures.ts';
import type { Market } from './market.ts';
import { limitIsTokens } from './terms.ts';
import type { Phase } from './useTrade.ts';
import { said, shown, type Units } from './words.ts';

/** The one number that matters: the least that is received, or the most that is given. */
export const Least = ({
  kind,
  figures,
  now,
  opening,
  market,
  phase,
  units,
}: {
  kind: TradeKind;
  /** What counts: in the opening those of its end. Null: there is no amount, or no price. */
  figures: Figures | null;
  /** Those of this moment. */
  now: Figures | null;
  opening: OpeningFee | null;
  market: Market;
  phase: Phase;
  units: Units;
}) => {
  const unit = limitIsTokens(kind) ? 'token' : 'usd';
  const side = isExactIn(kind) ? 'least' : 'most';
  // What is being signed stands still.
  const signed = 'limit' in phase ? phase : null;
  const limit = signed?.limit ?? figures?.limit ?? null;
  const about = signed?.about ?? figures?.about ?? null;
  const big = limit === null ? null : shown(limit, unit, units, side);
  return (
    <div className="least">
      <div className="row between t2">
        <span className="soft">{t.trade.limit[kind]}</span>
        {opening === null ? (
          <Validity market={market} isStill={signed !== null} />
        ) : (
          <span className="soft">{t.trade.opening.atLowest(percentOfBps(lowestBps), opening.secondsLeft)}</span>
        )}
      </div>
      <div className="v" data-limit={limit?.toString()}>
        {big === null ? (
          <i className="gap" />
        ) : (
          <span title={`${big.full} ${big.symbol}`}>
            {big.text} <small>{big.symbol}</small>
          </span>
        )}
      </div>
      <div className="muted t2">
        {opening !== null && now !== null ? (
          t.trade.opening.nowAt(percentOfBps(opening.feeBps), shown(now.limit, unit, units, side).text)
        ) : about === null ? (
          <i className="gap" data-size="s" />
        ) : (
          t.trade.about(said(shown(about, unit, units, side)), blockOf(market))
        )}
      </div>
    </div>
  );
};

const blockOf = ({ blockNumber }: Market): string | null =>
  blockNumber === null ? null : decimal(String(blockNumber), 0);

/** For how long the price is good; it renews itself. */
const Validity = ({ market, isStill }: { market: Market; isStill: boolean }) => {
  const { ageSeconds, lifetimeSeconds } = market;
  const leftSeconds = Math.ceil(lifetimeSeconds - ageSeconds);
  if (market.state === null || isStill) return <span />;
  return (
    <span className="row soft" data-validity={leftSeconds}>
      {leftSeconds > 0 ? t.trade.valid(leftSeconds) : t.trade.renewing}
      <Ring left={Math.max(0, 1 - ageSeconds / lifetimeSeconds)} />
    </span>
  );
};
