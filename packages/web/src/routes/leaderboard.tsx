import { Leaderboard } from '../features/leaderboard/Leaderboard.tsx';
import { leaderboard, shownBy } from '../features/leaderboard/queries.ts';
import { useDeployment } from '../lib/deployment.ts';
import { chains } from '../lib/queries.ts';
import type { PageModule } from '../lib/route.ts';
import * as t from '../messages/en/leaderboard.ts';

const Page: PageModule['default'] = ({ search }) => <Leaderboard shown={shownBy(search, useDeployment())} />;
export default Page;

export const prepare: PageModule['prepare'] = async ({ client, deployment, search }) => {
  await Promise.all([client.prefetchQuery(leaderboard(shownBy(search, deployment))), client.prefetchQuery(chains())]);
  const description = t.leaderboard.description(deployment.name);
  return { title: t.leaderboard.title, description, canonical: '/leaderboard' };
};
