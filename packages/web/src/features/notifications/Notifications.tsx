import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiOf } from '../../lib/api.ts';
import { notifications, notificationsKey, unread } from '../../lib/notificationQueries.ts';
import { useSession } from '../../lib/session.ts';
import { useAct } from '../../lib/useAct.ts';
import { useIsHydrated } from '../../lib/useIsHydrated.ts';
import * as t from '../../messages/en/notifications.ts';
import { Button } from '../../ui/Button.tsx';
import { Blocks, Empty } from '../../ui/Empty.tsx';
import { Hero } from '../../ui/Hero.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { SignInLink } from '../../ui/SignInLink.tsx';
import { Item } from './Item.tsx';
import './notifications.css';
import { Settings } from './Settings.tsx';

/** What concerns whoever is signed in, and what they want to be told. */
export const Notifications = () => {
  const session = useSession();
  const isNobody = useIsHydrated() && session === null;
  return (
    <>
      <Hero title={t.notifications.title}>{t.notifications.description}</Hero>
      {isNobody ? (
        <section className="card">
          <Empty act={<SignInLink kind="ink">{t.nav.connect}</SignInLink>}>{t.notifications.signIn}</Empty>
        </section>
      ) : (
        <div className="told-page">
          <List isSignedIn={session !== null} />
          <aside>
            <Settings isSignedIn={session !== null} />
          </aside>
        </div>
      )}
    </>
  );
};

const List = ({ isSignedIn }: { isSignedIn: boolean }) => {
  const client = useQueryClient();
  const act = useAct();
  const list = useInfiniteQuery(notifications(isSignedIn));
  const { data: count = 0 } = useQuery(unread(isSignedIn));
  const all = list.data?.pages.flatMap((page) => page.notifications);
  const readAll = () =>
    act.run(t.loading, async () => {
      await apiOf(client).markNotificationsRead({ all: true });
      await client.invalidateQueries({ queryKey: notificationsKey });
    });
  return (
    <section className="card" aria-label={t.notifications.title}>
      <div className="head">
        <span className="soft" role="status">
          {t.notifications.unread(count)}
        </span>
        <Button size="s" disabled={count === 0 || act.doing !== null} onClick={() => void readAll()}>
          {t.notifications.readAll}
        </Button>
      </div>
      {act.error !== null && <Problem error={act.error} />}
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {all === undefined && list.error === null && <Blocks count={6} height={64} />}
      {all?.length === 0 && <Empty>{t.notifications.none}</Empty>}
      <ol className="told-list">
        {all?.map((one) => (
          <Item key={one.id} notification={one} />
        ))}
      </ol>
      {list.hasNextPage && (
        <div className="more">
          <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t.notifications.more}
          </Button>
        </div>
      )}
    </section>
  );
};
