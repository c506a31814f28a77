import type { TokenAbout } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { chains } from '../../lib/queries.ts';
import { raisedOf } from '../../lib/raised.ts';
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
      <p>{wordsOf(venue, data.curve.completed, raised.target)}</p>
    </section>
  );
};

/** What happens when all is raised. The launchpad's own pools are where the curve was. */
const wordsOf = (venue: string | null, isSoldOut: boolean, target: string): string => {
  if (venue === 'mintage_pool') return isSoldOut ? t.token.soldOutHere : t.token.whenReachedHere(target);
  return isSoldOut ? t.token.soldOut(exchangeName(venue)) : t.token.whenReached(target, exchangeName(venue));
};

/** By the kind of exchange. */
export const exchangeName = (venue: string | null): string => {
  if (venue === null) return t.token.exchange;
  if (venue === 'mintage_pool') return t.token.ownPool;
  return venue.startsWith('pancake') ? 'PancakeSwap' : 'Uniswap';
};
