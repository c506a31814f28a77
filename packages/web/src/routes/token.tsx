import type { PageModule } from '../lib/route.ts';
import { token } from '../lib/queries.ts';
import { useQuery } from '@tanstack/react-query';
import '../features/trade/token.css';

const Token: PageModule['default'] = ({ params }) => {
  const { data } = useQuery(token(params.token ?? ''));
  return <h1>{data?.token?.name}</h1>;
};
export default Token;

export const prepare: PageModule['prepare'] = async ({ client, params }) => {
  const { token: found } = await client.fetchQuery(token(params.token ?? ''));
  if (found === null) return null;
  return { title: `${found.name} (${found.symbol})`, description: found.description ?? found.name, picture: `/og/${found.slug}.png`, canonical: `/token/${found.slug}` };
};
