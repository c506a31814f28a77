import type { PageModule } from '../lib/route.ts';
import { Market } from '../features/market/Market.tsx';
import { filterOf } from '../features/market/filter.ts';
import { tokens } from '../lib/queries.ts';

const Home: PageModule['default'] = ({ search }) => <Market filter={filterOf(search)} />;
export default Home;

export const prepare: PageModule['prepare'] = async ({ client, deployment, search }) => {
  await client.prefetchQuery(tokens(filterOf(search)));
  return { title: 'Market', description: `Create a token, trade it and earn from it on ${deployment.name}.`, canonical: '/' };
};
