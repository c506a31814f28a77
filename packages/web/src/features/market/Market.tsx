import type { GetMarketSummaryAnswer } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { decimal } from '../../lib/format.ts';
import { marketSummary } from '../../lib/queries.ts';
import * as t from '../../messages/en/market.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Filters } from './Filters.tsx';
import { Side } from './Side.tsx';
import { TokenList } from './TokenList.tsx';
import { useLiveTokens } from './useLiveTokens.ts';
import { changed, type View } from './view.ts';
import './market.css';

/** All tokens, as they trade now. */
export const Market = ({ view }: { view: View }) => {
  useLiveTokens();
  const { data: all } = useQuery(marketSummary());
  const { data: shown } = useQuery(marketSummary(view.chain === null ? [] : [view.chain]));
  return (
    <>
      <div className="hero">
        <div>
          <h1>{t.nav.market}</h1>
          <Summary summary={all} />
        </div>
        <ButtonLink kind="ink" href="/create">
          <Icon name="plus" />
          {t.market.create}
        </ButtonLink>
      </div>
      <div className="home">
        <section className="card" aria-label={t.market.tokens}>
          <Filters view={view} summary={shown} />
          {view.keyword !== '' && (
            <div className="found">
              <p className="grow clip">{t.market.found(view.keyword)}</p>
              <Link className="btn" data-kind="bare" data-size="s" href={changed(view, { keyword: '' })}>
                <Icon name="x" />
                {t.market.clear}
              </Link>
            </div>
          )}
          <TokenList view={view} />
        </section>
        <Side summary={all} />
      </div>
    </>
  );
};

/** Of its final height from the beginning on. */
const Summary = ({ summary }: { summary: GetMarketSummaryAnswer | undefined }) => {
  if (summary === undefined) return <p aria-hidden="true">&nbsp;</p>;
  const paid = summary.paid_to_creators_24h_usd;
  return (
    <p>
      {t.market.summary(decimal(String(summary.tokens), 0), summary.chains.length)}{' '}
      {paid === null ? (
        t.market.catchingUp
      ) : (
        <Link className="summary-link" href="/leaderboard" title={`${paid} USD`}>
          {t.market.paid(`$${decimal(paid, 0)}`)}
        </Link>
      )}
    </p>
  );
};
