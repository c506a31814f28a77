import type { ChainSlug, GetMarketSummaryAnswer } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { chainName } from '../../lib/chainLooks.ts';
import { useDeployment } from '../../lib/deployment.ts';
import { decimal } from '../../lib/format.ts';
import { chains } from '../../lib/queries.ts';
import * as t from '../../messages/en/market.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { changed, hrefOf, orders, rowsOfPage, stages, usualOrder, type View, viewOf } from './view.ts';

/** What is listed, and how: links and a form, which do without scripts too. */
export const Filters = ({ view, summary }: { view: View; summary: GetMarketSummaryAnswer | undefined }) => (
  <div className="filters">
    <nav className="seg" aria-label={t.market.stage}>
      {([null, ...stages] as const).map((stage) => (
        <Link
          key={stage}
          href={changed(view, { stage, order: null })}
          aria-current={view.stage === stage ? 'page' : undefined}
        >
          {t.market.stages[stage ?? 'all']}
          {summary !== undefined && stage !== null && (
            <span className={stage === 'graduating' ? 'n always' : 'n'}>
              {decimal(String(summary.by_stage[stage]), 0)}
            </span>
          )}
        </Link>
      ))}
    </nav>
    <span className="grow" />
    <Link
      className="btn watched"
      data-kind="bare"
      data-size="s"
      href={changed(view, { isWatched: !view.isWatched })}
      aria-current={view.isWatched ? 'true' : undefined}
      aria-label={t.market.watched}
    >
      <Icon name="star" />
      <span className="wide">{t.market.watched}</span>
    </Link>
    <Choices view={view} />
  </div>
);

const Choices = ({ view }: { view: View }) => {
  const { base } = useDeployment();
  const [, go] = useLocation();
  const { data } = useQuery(chains());
  const usual = usualOrder(view.stage);
  const slugs: ChainSlug[] = data?.chains.map(({ slug }) => slug) ?? [];
  const shownChains = view.chain === null || slugs.includes(view.chain) ? slugs : [view.chain, ...slugs];
  const choose = (event: FormEvent<HTMLFormElement>): void => {
    const chosen = new URLSearchParams();
    for (const [name, value] of new FormData(event.currentTarget)) if (value !== '') chosen.set(name, String(value));
    go(hrefOf({ ...viewOf(chosen), rows: rowsOfPage }));
  };
  return (
    <form className="row choices" action={`${base}/`} onChange={choose}>
      {view.stage !== null && <input type="hidden" name="stage" value={view.stage} />}
      {view.isWatched && <input type="hidden" name="watched" value="1" />}
      {view.keyword !== '' && <input type="hidden" name="q" value={view.keyword} />}
      <select className="select" name="chain" aria-label={t.market.chain} value={view.chain ?? ''}>
        <option value="">{t.market.allChains}</option>
        {shownChains.map((slug) => (
          <option key={slug} value={slug}>
            {chainName(slug)}
          </option>
        ))}
      </select>
      <select className="select" name="order" aria-label={t.market.order} value={view.order ?? ''}>
        <option value="">{t.market.orders[usual]}</option>
        {orders
          .filter((order) => order !== usual)
          .map((order) => (
            <option key={order} value={order}>
              {t.market.orders[order]}
            </option>
          ))}
      </select>
      <noscript>
        <Button type="submit" size="s">
          {t.market.show}
        </Button>
      </noscript>
    </form>
  );
};
