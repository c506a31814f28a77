import { Join } from '../features/join/Join.tsx';
import { invitation, shares } from '../features/join/queries.ts';
import type { PageModule } from '../lib/route.ts';
import * as t from '../messages/en/join.ts';
import NotFound from './notFound.tsx';

const Page: PageModule['default'] = ({ params }) => <Join code={params.code ?? ''} noSuch={<NotFound />} />;
export default Page;

export const prepare: PageModule['prepare'] = async ({ client, deployment, params }) => {
  const known = await client.fetchQuery(invitation(params.code ?? ''));
  if (known === null) return null;
  const { referral_code: code } = known;
  const description = t.join.description(deployment.name, shares.cashbackOfFee);
  return { title: t.join.title(code), description, canonical: `/join/${code}` };
};
