import { Link } from 'wouter';
import { useDeployment } from '../../lib/deployment.ts';
import { useViewer } from '../../lib/peopleQueries.ts';
import * as t from '../../messages/en/people.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Hero } from '../../ui/Hero.tsx';
import { SignInLink } from '../../ui/SignInLink.tsx';
import { Composer } from './Composer.tsx';
import { Feed } from './Feed.tsx';
import { type FeedView, feedPath, feeds, filterOf, windows } from './feedView.ts';
import { HubList } from './HubList.tsx';
import './people.css';

/** What everybody says, or those whom one follows. */
export const FeedPage = ({ view }: { view: FeedView }) => {
  const { name } = useDeployment();
  const viewer = useViewer();
  const { feed, tag } = view;
  const isFollowingNobody = feed === 'following' && viewer === null;
  return (
    <>
      <Hero
        title={tag === null ? t.posts.feedTitle : t.posts.tagged(tag)}
        act={
          <nav className="seg" aria-label={t.posts.order}>
            {feeds.map((one) => (
              <Link key={one} href={feedPath({ ...view, feed: one })} aria-current={one === feed ? 'page' : undefined}>
                {t.posts.feeds[one]}
              </Link>
            ))}
          </nav>
        }
      >
        {tag === null ? (
          t.posts.feedText(name)
        ) : (
          <Link className="link" href={feedPath({ ...view, tag: null })}>
            {t.posts.allTags}
          </Link>
        )}
      </Hero>
      <div className="feed-page">
        <div className="column">
          <section className="card write-card">
            <Composer label={t.posts.write} />
          </section>
          <section className="card" aria-label={t.posts.title}>
            {feed === 'top' && (
              <div className="head">
                <span className="hint">{t.posts.window}</span>
                <nav className="seg" data-size="s" aria-label={t.posts.window}>
                  {windows.map((one) => (
                    <Link
                      key={one}
                      href={feedPath({ ...view, window: one })}
                      aria-current={one === view.window ? 'page' : undefined}
                    >
                      {t.posts.windows[one]}
                    </Link>
                  ))}
                </nav>
              </div>
            )}
            {isFollowingNobody ? (
              <Empty act={<SignInLink kind="ink">{t.posts.signIn}</SignInLink>}>{t.posts.followingNeedsYou}</Empty>
            ) : (
              <Feed filter={filterOf(view)} empty={emptyWords[feed]} />
            )}
          </section>
        </div>
        <aside aria-label={t.hub.active}>
          <HubList />
        </aside>
      </div>
    </>
  );
};

const emptyWords = { latest: t.posts.none, top: t.posts.noneTop, following: t.posts.noneFollowed } as const;
