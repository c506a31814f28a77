import { Solvency } from '../features/solvency/Solvency.tsx';
import { chains } from '../lib/queries.ts';
import type { PageModule } from '../lib/route.ts';
import * as t from '../messages/en/solvency.ts';

const Page: PageModule['default'] = () => <Solvency />;
export default Page;

export const prepare: PageModule['prepare'] = async ({ client, deployment }) => {
  await client.prefetchQuery(chains());
  return { title: t.solvency.title, description: t.solvency.description(deployment.name), canonical: '/solvency' };
};
