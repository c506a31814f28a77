import type { TokenAbout } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useSession } from '../../lib/session.ts';
import { ownPosition, tokenHolders, tokenStats } from '../../lib/tokenQueries.ts';
import * as t from '../../messages/en/token.ts';
import { Dollars, Price, Unknown } from '../../ui/Amount.tsx';
import { Change } from '../../ui/Change.tsx';

/** What it is worth now, and who is in it. */
export const Figures = ({ about }: { about: TokenAbout }) => {
  const { data: stats } = useQuery(tokenStats(about.id));
  const { data: holders } = useQuery(tokenHolders(about.id));
  const home = stats?.find(({ chain }) => chain === about.origin_chain) ?? stats?.[0];
  const count = holders?.pagination.total;
  return (
    <dl className="figures">
      <div>
        <dt>{t.token.marketCap}</dt>
        <dd className="big">
          <Dollars value={home?.market_cap_usd ?? null} whole />{' '}
          <small>
            <Change percent={home?.price_change_24h_pct ?? null} />
          </small>
        </dd>
      </div>
      <div>
        <dt>{t.token.price}</dt>
        <dd>
          <Price value={home?.price_usd ?? null} />
        </dd>
      </div>
      <div>
        <dt>{t.token.volume}</dt>
        <dd>
          <Dollars value={home?.volume_usd_24h ?? null} whole />
        </dd>
      </div>
      <div>
        <dt>{t.token.holders}</dt>
        <dd>{count === undefined ? <Unknown /> : count.toLocaleString('en-US')}</dd>
      </div>
      <div>
        <dt>{t.token.position}</dt>
        <dd>
          <Position id={about.id} />
        </dd>
      </div>
    </dl>
  );
};

const Position = ({ id }: { id: string }) => {
  const session = useSession();
  const { data } = useQuery(ownPosition(id, session !== null));
  if (session === null)
    return (
      <Link className="link soft" href="/account">
        {t.nav.connect}
      </Link>
    );
  if (data === undefined) return <span className="muted">…</span>;
  if (data.tokens.every(({ balanceRaw }) => balanceRaw === '0')) return <span className="muted">{t.token.none}</span>;
  const cost = Number(data.costUsd);
  return (
    <>
      <Dollars value={data.valueUsd} /> <Change percent={cost > 0 ? (100 * Number(data.unrealisedUsd)) / cost : null} />
    </>
  );
};
