import type { TokenAbout } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { raisedOf } from '../../lib/raised.ts';
import { chains } from '../../lib/queries.ts';
import { tokenCurve } from '../../lib/tokenQueries.ts';
import * as t from '../../messages/en/token.ts';
import { Amount } from '../../ui/Amount.tsx';
import { Blocks } from '../../ui/Empty.tsx';
import { Meter } from '../../ui/Meter.tsx';

/** How much of the target is raised, and what happens then. */
export const Graduation = ({ about }: { about: TokenAbout }) => {
  const { data } = useQuery(tokenCurve(about.id));
  const { data: served } = useQuery(chains());
  if (data === undefined)
    return (
      <section className="card grad o3" aria-label={t.token.graduation}>
        <Blocks count={3} height={36} />
      </section>
    );
  const raised = raisedOf(data);
  const venue = served?.chains.find(({ slug }) => slug === about.origin_chain)?.venue ?? null;
  return (
    <section className="card grad o3" aria-labelledby="graduation">
      <div className="row between">
        <h2 id="graduation">{t.token.graduation}</h2>
        <span className="num">{raised.percent} %</span>
      </div>
      <Meter percent={raised.exactPercent} label={t.token.raisedOfTarget} isReeded />
      <div className="ticks">
        <span>
          <b>
            <Amount value={raised.raised} places={0} />
          </b>{' '}
          {t.token.ofTarget} <Amount value={raised.target} places={0} unit="USD" />
        </span>
        <span>
          <Amount value={raised.toGo} places={0} /> {t.token.toGo}
        </span>
      </div>
      <p>{data.curve.completed ? t.token.soldOut(exchangeName(venue)) : t.token.whenReached(raised.target, exchangeName(venue))}</p>
    </section>
  );
};

/** By the kind of exchange. */
export const exchangeName = (venue: string | null): string => {
  if (venue === null) return t.token.exchange;
  return venue.startsWith('pancake') ? 'PancakeSwap' : 'Uniswap';
};
