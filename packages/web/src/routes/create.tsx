import { Create } from '../features/create/Create.tsx';
import { chains } from '../lib/queries.ts';
import type { PageModule } from '../lib/route.ts';
import * as t from '../messages/en/create.ts';

export default Create;

export const prepare: PageModule['prepare'] = async ({ client }) => {
  await client.prefetchQuery(chains());
  return { title: t.create.title, description: t.create.description };
};
