import type { TokenAbout } from '@mintage/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { hub as hubOf, post, useViewer } from '../../lib/peopleQueries.ts';
import * as t from '../../messages/en/people.ts';
import { Blocks } from '../../ui/Empty.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Composer } from './Composer.tsx';
import { Feed } from './Feed.tsx';
import { HubCard } from './HubCard.tsx';
import { MayPost } from './MayPost.tsx';
import { PostCard } from './PostCard.tsx';
import { type TokenView, tokenPath, tokenPosts } from './tokenView.ts';

const feeds = ['latest', 'top'] as const;

/** What people say of a token: its hub, a place to write, and its posts. */
export const TokenPosts = ({ about, view }: { about: TokenAbout; view: TokenView }) => {
  const viewer = useViewer();
  const { data: hub, error, refetch } = useQuery({ ...hubOf(about.id, viewer), placeholderData: keepPreviousData });
  const pinnedId = hub?.pinned_post_id ?? null;
  const { data: pinned } = useQuery({
    ...post(pinnedId ?? '', viewer),
    enabled: pinnedId !== null,
    placeholderData: keepPreviousData,
  });
  if (hub === undefined)
    return (
      <section className="card o5" aria-label={t.posts.title}>
        {error === null ? <Blocks count={6} height={64} /> : <Problem error={error} onRetry={() => void refetch()} />}
      </section>
    );
  const first = pinned?.pinned ? { id: pinned.id, shown: <PostCard post={pinned} hub={hub} isWithin /> } : null;
  return (
    <div className="stack o5">
      <HubCard hub={hub} invite={view.invite} about={about} />
      <section className="card" aria-labelledby="posts">
        <div className="head">
          <h2 id="posts">{t.posts.title}</h2>
          <nav className="seg" data-size="s" aria-label={t.posts.order}>
            {feeds.map((feed) => (
              <Link
                key={feed}
                href={tokenPath(about.slug, { ...view, feed, isPosts: true })}
                aria-current={feed === view.feed ? 'page' : undefined}
              >
                {t.posts.feeds[feed]}
              </Link>
            ))}
          </nav>
        </div>
        <div className="write">
          <MayPost hub={hub}>
            <Composer tokenId={about.id} label={t.posts.writeAbout(about.symbol)} />
          </MayPost>
        </div>
        <Feed filter={tokenPosts(about.id, view.feed)} hub={hub} isWithin first={first} empty={t.posts.none} />
      </section>
    </div>
  );
};
