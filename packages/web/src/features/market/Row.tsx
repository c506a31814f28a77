import type { Sparkline as Line, TokenV2 } from '@mintage/sdk';
import { memo } from 'react';
import { Link } from 'wouter';
import { chainName } from '../../lib/chainLooks.ts';
import { ago, decimal } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { raisedPercent } from '../../lib/raisedPercent.ts';
import * as t from '../../messages/en/market.ts';
import { Ago } from '../../ui/Ago.tsx';
import { Dollars, Unknown } from '../../ui/Amount.tsx';
import { Change } from '../../ui/Change.tsx';
import { Coin } from '../../ui/Coin.tsx';
import { ChainMark } from '../../ui/chains.tsx';
import { Icon } from '../../ui/icons.tsx';
import { wholePercent } from './raised.ts';
import { Sparkline } from './Sparkline.tsx';
import { type Look, toggleWatched } from './watched.ts';

interface RowProps {
  token: TokenV2;
  line: Line | undefined;
  isWatched: boolean;
  /** What it was worth at the last look at what is watched. */
  look: Look | undefined;
}

/** A token in the list, of one height; all of it leads to its page. */
export const Row = memo(({ token, line, isWatched, look }: RowProps) => {
  const chain = token.token_addresses[0]?.chain ?? '';
  const isGraduated = token.stage === 'graduated';
  const raised = raisedPercent(token);
  return (
    <li className="tape">
      <div className="who">
        <Coin picture={token.logo} symbol={token.symbol} raised={raised ?? 0} isGraduated={isGraduated} />
        <div className="grow">
          <Link className="clip name" href={`/token/${token.slug}`}>
            <b>{token.name}</b> <span className="muted">{token.symbol}</span>
          </Link>
          <div className="meta">
            <ChainMark slug={chain} />
            <span className="sr">{chainName(chain)}</span>
            <span className="wide nowrap" aria-hidden="true">
              {chainName(chain)}
            </span>
            <Dot isWide />
            <Ago at={token.created_at} />
            <Dot />
            {look === undefined ? (
              <RaisedText percent={raised} isGraduated={isGraduated} />
            ) : (
              <SinceLook look={look} marketCap={token.market_cap} />
            )}
          </div>
        </div>
      </div>
      <div className="w">
        <Sparkline line={line} price={token.price} />
      </div>
      <div className="w right soft">
        <span className="sr">{t.market.heads.volume} </span>
        <Dollars value={token.volume_24h} />
      </div>
      <div className="w right soft">
        <span className="sr">{t.market.heads.holders} </span>
        {token.holders_count === null ? <Unknown /> : decimal(String(token.holders_count), 0)}
      </div>
      <div className="right">
        <div className="mc">
          <span className="sr">{t.market.heads.cap} </span>
          <Dollars value={token.market_cap} />
        </div>
        <div className="small">
          <Change percent={token.price_change_24h_percent} />
        </div>
      </div>
      <button
        type="button"
        className="star"
        aria-pressed={isWatched}
        aria-label={t.market.watch(token.name)}
        onClick={() => toggleWatched(token.id)}
      >
        <Icon name="star" />
      </button>
    </li>
  );
});

const Dot = ({ isWide = false }: { isWide?: boolean }) => (
  <span aria-hidden="true" className={isWide ? 'wide' : undefined}>
    ·
  </span>
);

const RaisedText = ({ percent, isGraduated }: { percent: number | null; isGraduated: boolean }) => {
  if (isGraduated) return <span className="up nowrap">{t.market.graduated}</span>;
  return percent === null ? <Unknown /> : <span className="nowrap">{t.market.raised(wholePercent(percent))}</span>;
};

const SinceLook = ({ look, marketCap }: { look: Look; marketCap: number | null }) => {
  const nowMs = useNow();
  const percent = marketCap === null || look.marketCap === 0 ? null : (marketCap / look.marketCap - 1) * 100;
  return (
    <span className="clip">
      <Change percent={percent} /> {t.market.sinceLook(ago(look.atMs, nowMs))}
    </span>
  );
};
