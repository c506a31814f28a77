import { chainName } from '../../lib/chainLooks.ts';
import { framed as words } from '../../messages/en/embed.ts';
import { Dollars, Price } from '../../ui/Amount.tsx';
import { Change } from '../../ui/Change.tsx';
import { Coin } from '../../ui/Coin.tsx';
import { ChainMark } from '../../ui/chains.tsx';
import type { EmbedMarket } from './embedMarket.ts';
import { MiniLine } from './MiniLine.tsx';

/** Which token it is, what it costs and how it moved: the whole badge, and the head of the trade card. */
export const Shown = ({ market, link }: { market: EmbedMarket; link: string }) => {
  const { about, stats, line } = market;
  return (
    <div className="shown">
      <Coin picture={about.logo} symbol={about.symbol} isGraduated={about.graduated === true} />
      <div className="grow">
        <a className="clip block" href={link} target="_blank" rel="noopener">
          <b>{about.name}</b> <span className="muted">{about.symbol}</span>
        </a>
        <div className="row small nowrap">
          {about.origin_chain !== null && (
            <>
              <ChainMark slug={about.origin_chain} />
              <span className="sr">{chainName(about.origin_chain)}</span>
            </>
          )}
          <span className="muted">{words.marketCap}</span>
          <span className="soft">
            <Dollars value={stats.market_cap_usd} />
          </span>
        </div>
      </div>
      {line !== null && <MiniLine closes={line.closes} />}
      <dl className="figures">
        <div>
          <dt className="sr">{words.price}</dt>
          <dd className="num">
            <Price value={stats.price_usd} />
          </dd>
        </div>
        <div className="small">
          <dt className="sr">{words.day}</dt>
          <dd>
            <Change percent={line?.change_24h_pct ?? null} />
          </dd>
        </div>
      </dl>
    </div>
  );
};
