import { type QueryClient, useQuery } from '@tanstack/react-query';
import { Across } from '../features/across/Across.tsx';
import { Chart } from '../features/chart/Chart.tsx';
import { EmbedButton } from '../features/embed/EmbedButton.tsx';
import { Facts } from '../features/facts/Facts.tsx';
import { TokenPosts } from '../features/people/TokenPosts.tsx';
import { TokenViews } from '../features/people/TokenViews.tsx';
import { type TokenView, tokenPosts, tokenViewOf } from '../features/people/tokenView.ts';
import { Figures } from '../features/token/Figures.tsx';
import { Graduation } from '../features/token/Graduation.tsx';
import { Holders } from '../features/token/Holders.tsx';
import { Pool } from '../features/token/Pool.tsx';
import { Said } from '../features/token/Said.tsx';
import { Solvency } from '../features/token/Solvency.tsx';
import { TokenHead } from '../features/token/TokenHead.tsx';
import { Trades } from '../features/token/Trades.tsx';
import { TradeBox } from '../features/trade/TradeBox.tsx';
import { intervalFor } from '../lib/candles.ts';
import { chainName } from '../lib/chainLooks.ts';
import { hub, post, posts, tokenVotes } from '../lib/peopleQueries.ts';
import { chains, quote } from '../lib/queries.ts';
import type { PageModule } from '../lib/route.ts';
import {
  tokenAbout,
  tokenCandles,
  tokenCurve,
  tokenFacts,
  tokenHolders,
  tokenSaid,
  tokenStats,
  tokenTrades,
} from '../lib/tokenQueries.ts';
import { useTokenLive } from '../lib/useTokenLive.ts';
import * as t from '../messages/en/token.ts';
import { Blocks } from '../ui/Empty.tsx';
import { Problem } from '../ui/Problem.tsx';
import '../features/token/token.css';

const Token: PageModule['default'] = ({ params, search }) => {
  const reference = params.token ?? '';
  const { data, error, refetch } = useQuery(tokenAbout(reference));
  if (data !== undefined) return <Known reference={reference} about={data} view={tokenViewOf(search)} />;
  return (
    <>
      <div className="hero">
        <h1>{t.token.title}</h1>
      </div>
      {error === null ? <Blocks count={8} height={64} /> : <Problem error={error} onRetry={() => void refetch()} />}
    </>
  );
};
export default Token;

type About = Parameters<typeof TokenHead>[0]['about'];

const Known = ({ reference, about, view }: { reference: string; about: About; view: TokenView }) => {
  useTokenLive(about, reference);
  const isGraduated = about.graduated === true;
  return (
    <>
      <TokenHead about={about} />
      <div className="token">
        <div>
          <section className="card o1" aria-label={t.token.price}>
            <Figures about={about} />
            <Chart about={about} />
          </section>
          <TokenViews about={about} view={view} />
          {view.isPosts ? <TokenPosts about={about} view={view} /> : <Trades about={about} />}
          <div className="two o6">
            <Facts about={about} />
            <Holders about={about} />
          </div>
        </div>
        <aside aria-label={t.token.aside}>
          {about.origin_chain !== null && (
            <div className="o2 first">
              <TradeBox about={about} chainSlug={about.origin_chain} />
            </div>
          )}
          {isGraduated ? <Pool about={about} /> : <Graduation about={about} />}
          {!isGraduated && <Solvency about={about} />}
          <Said about={about} />
          <Across about={about} />
          <div className="stack o6">
            <EmbedButton token={about} />
          </div>
        </aside>
      </div>
    </>
  );
};

export const prepare: PageModule['prepare'] = async ({ client, params, search, deployment }) => {
  const about = await client.fetchQuery(tokenAbout(params.token ?? '')).catch((error: { code?: unknown }) => {
    if (error.code === 'TOKEN_NOT_FOUND' || error.code === 'INVALID_PARAMETERS') return null;
    throw error;
  });
  if (about === null) return null;
  const { id, name, symbol, slug, origin_chain: home } = about;
  const interval = intervalFor(deployment.renderedAtMs - Date.parse(about.created_at));
  await Promise.all([
    client.prefetchQuery(chains()),
    client.prefetchQuery(tokenStats(id)),
    client.prefetchQuery(tokenCurve(id)),
    client.prefetchQuery(tokenTrades(id)),
    client.prefetchQuery(tokenHolders(id)),
    client.prefetchQuery(tokenFacts(id)),
    client.prefetchQuery(tokenSaid(about)),
    client.prefetchQuery(tokenCandles(id, interval)),
    client.prefetchQuery(tokenVotes(id, null)),
    talk(client, id, tokenViewOf(search)),
    ...(home === null ? [] : [client.prefetchQuery(quote(id, home, 'buy'))]),
  ]);
  return {
    title: `${name} (${symbol})`,
    description: about.description ?? t.token.describe(name, symbol, chainName(home ?? '')),
    canonical: `/token/${slug}`,
    ...(about.unlisted === undefined ? { picture: `/og/${slug}.png` } : { isHidden: true }),
  };
};

/** The hub, whose owner the head names too; and its posts where they are shown. */
const talk = async (client: QueryClient, id: string, { isPosts, feed }: TokenView): Promise<void> => {
  const known = await client.fetchQuery(hub(id, null)).catch(() => null);
  if (!isPosts) return;
  const pinned = known?.pinned_post_id ?? null;
  await Promise.all([
    client.prefetchInfiniteQuery(posts(tokenPosts(id, feed), null)),
    pinned === null ? null : client.prefetchQuery(post(pinned, null)),
  ]);
};
