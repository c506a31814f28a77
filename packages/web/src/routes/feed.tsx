import { FeedPage } from '../features/people/FeedPage.tsx';
import { feedViewOf, filterOf } from '../features/people/feedView.ts';
import { activeHubs, posts } from '../lib/peopleQueries.ts';
import type { PageModule } from '../lib/route.ts';
import * as t from '../messages/en/people.ts';

const Page: PageModule['default'] = ({ search }) => <FeedPage view={feedViewOf(search)} />;
export default Page;

export const prepare: PageModule['prepare'] = async ({ client, deployment, search }) => {
  const view = feedViewOf(search);
  await Promise.all([
    view.feed === 'following' ? null : client.prefetchInfiniteQuery(posts(filterOf(view), null)),
    client.prefetchQuery(activeHubs()),
  ]);
  return {
    title: view.tag === null ? t.posts.feedTitle : t.posts.tagged(view.tag),
    description: t.posts.feedText(deployment.name),
    canonical: '/feed',
  };
};
