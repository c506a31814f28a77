import { Market } from '../features/market/Market.tsx';
import { nearest, newest, sparklines } from '../features/market/queries.ts';
import { questionsOf, viewOf } from '../features/market/view.ts';
import { chains, marketSummary, tokens } from '../lib/queries.ts';
import type { PageModule } from '../lib/route.ts';
import * as t from '../messages/en/market.ts';

const Home: PageModule['default'] = ({ search }) => <Market view={viewOf(search)} />;
export default Home;

export const prepare: PageModule['prepare'] = async ({ client, deployment, search }) => {
  const view = viewOf(search);
  // What a browser watches is known to it alone.
  const questions = view.isWatched ? [] : questionsOf(view, []);
  const listed = async (): Promise<void> => {
    const pages = await Promise.all(questions.map((question) => client.fetchQuery(tokens(question))));
    const ids = new Set(pages.flatMap((page) => page.tokens).map(({ id }) => id));
    if (ids.size > 0) await client.prefetchQuery(sparklines([...ids]));
  };
  await Promise.all([
    listed(),
    client.prefetchQuery(marketSummary()),
    client.prefetchQuery(marketSummary(view.chain === null ? [] : [view.chain])),
    client.prefetchQuery(chains()),
    client.prefetchQuery(tokens(nearest)),
    client.prefetchQuery(tokens(newest)),
  ]);
  return { title: t.nav.market, description: t.market.description(deployment.name), canonical: '/' };
};
