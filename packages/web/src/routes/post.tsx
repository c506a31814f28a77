import { PostPage, postTitle } from '../features/people/PostPage.tsx';
import { hub, post, posts } from '../lib/peopleQueries.ts';
import type { PageModule } from '../lib/route.ts';
import NotFound from './notFound.tsx';

const Page: PageModule['default'] = ({ params }) => <PostPage id={params.post ?? ''} noSuch={<NotFound />} />;
export default Page;

export const prepare: PageModule['prepare'] = async ({ client, params }) => {
  const known = await client.fetchQuery(post(params.post ?? '', null));
  if (known === null) return null;
  const { id, hub_id: hubId, tagged_coin: token } = known;
  await Promise.all([
    client.prefetchInfiniteQuery(posts({ parent_id: id }, null)),
    hubId === null ? null : client.prefetchQuery(hub(hubId, null)),
  ]);
  const title = postTitle(known);
  return {
    title,
    description: known.text === '' ? title : [...known.text].slice(0, 200).join(''),
    canonical: `/post/${id}`,
    ...(token !== null && { picture: `/og/${token.slug}.png` }),
  };
};
