import { differenceOf, signOf, sumOf } from '../../lib/exact.ts';
import { ago } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import type { Account } from '../../lib/ownQueries.ts';
import * as t from '../../messages/en/portfolio.ts';
import { Unknown } from '../../ui/Amount.tsx';
import { Money } from '../../ui/Money.tsx';
import { useLastLook } from './useLastLook.ts';

interface Totals {
  valueUsd: string;
  unrealisedUsd: string;
  realisedUsd: string;
}

/** What it is all worth, and what was gained, each with how it is counted. */
export const Summary = ({
  totals,
  own,
  userId,
}: {
  totals: Totals | null;
  own: Account | undefined;
  userId: string;
}) => {
  const last = useLastLook(userId, totals?.valueUsd ?? null);
  const nowMs = useNow();
  return (
    <section className="card" aria-label={t.portfolio.worth}>
      <dl className="sum">
        <div>
          <dt>{t.portfolio.worth}</dt>
          <dd className="big">
            {totals === null ? <Loading /> : <Money value={totals.valueUsd} />}
            <small>
              {totals === null ? (
                ''
              ) : last === null ? (
                t.portfolio.firstLook
              ) : (
                <Since change={differenceOf(totals.valueUsd, last.worthUsd)} ago={ago(last.atMs, nowMs)} />
              )}
            </small>
          </dd>
        </div>
        <div>
          <dt>{t.portfolio.unrealised}</dt>
          <dd>
            {totals === null ? <Loading /> : <Money value={totals.unrealisedUsd} isChange />}
            <small>{t.portfolio.method}</small>
          </dd>
        </div>
        <div>
          <dt>{t.portfolio.realised}</dt>
          <dd>
            {totals === null ? <Loading /> : <Money value={totals.realisedUsd} isChange />}
            <small>{t.portfolio.sales}</small>
          </dd>
        </div>
        <Dollars own={own} />
      </dl>
    </section>
  );
};

const Loading = () => (
  <span className="awaited">
    <span className="sr">{t.loading}</span>
  </span>
);

const Since = ({ change, ago: since }: { change: string; ago: string }) =>
  signOf(change) === 0 ? (
    t.portfolio.unchanged(since)
  ) : (
    <>
      <Money value={change} isChange /> {t.portfolio.since(since)}
    </>
  );

/** Dollars on all chains that answered; one that did not is said, and never counts as nothing. */
const Dollars = ({ own }: { own: Account | undefined }) => {
  const known = own?.balances.flatMap(({ usd }) => (usd.balance === null ? [] : [usd.balance])) ?? [];
  const isPartly = own !== undefined && known.length < own.balances.length;
  const filled = known.filter((balance) => signOf(balance) > 0).length;
  return (
    <div>
      <dt>{t.portfolio.dollars}</dt>
      <dd>
        {own === undefined ? (
          <Loading />
        ) : known.length === 0 && isPartly ? (
          <Unknown />
        ) : (
          <Money value={sumOf(known)} />
        )}
        <small>{isPartly ? t.portfolio.partly : own === undefined ? '' : t.portfolio.dollarsOn(filled)}</small>
      </dd>
    </div>
  );
};
