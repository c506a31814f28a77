import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { firstTokens, Profile, profileViewOf } from '../features/people/Profile.tsx';
import { handleOf, nameOf, userPath } from '../lib/people.ts';
import { createdTokens, posts, user, useViewer } from '../lib/peopleQueries.ts';
import type { PageModule } from '../lib/route.ts';
import * as t from '../messages/en/people.ts';
import { Blocks } from '../ui/Empty.tsx';
import { Problem } from '../ui/Problem.tsx';
import NotFound from './notFound.tsx';

const Page: PageModule['default'] = ({ params, search }) => {
  const asked = user(params.user ?? '', useViewer());
  const { data, error, refetch } = useQuery({ ...asked, placeholderData: keepPreviousData });
  if (data === null) return <NotFound />;
  if (data !== undefined) return <Profile user={data} view={profileViewOf(search)} />;
  return (
    <>
      <div className="hero">
        <h1>{t.profile.title}</h1>
      </div>
      {error === null ? <Blocks count={6} height={64} /> : <Problem error={error} onRetry={() => void refetch()} />}
    </>
  );
};
export default Page;

export const prepare: PageModule['prepare'] = async ({ client, params, search, deployment }) => {
  const known = await client.fetchQuery(user(params.user ?? '', null));
  if (known === null) return null;
  if (profileViewOf(search) === 'tokens') await client.prefetchQuery(createdTokens(known.id, firstTokens));
  else await client.prefetchInfiniteQuery(posts({ author_id: known.id }, null));
  const [name, handle] = [nameOf(known), handleOf(known)];
  return {
    title: handle === null ? name : `${name} (${handle})`,
    description: known.bio ?? t.profile.description(name, deployment.name),
    canonical: userPath(known),
  };
};
