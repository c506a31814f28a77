import { useQuery } from '@tanstack/react-query';
import { compact } from '../lib/format.ts';
import { unread } from '../lib/notificationQueries.ts';
import { useSession } from '../lib/session.ts';
import { useNotificationsLive } from '../lib/useNotificationsLive.ts';
import * as t from '../messages/en/common.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';

/** Leads to what concerns whoever is signed in, with the number of what they have not read. */
export const Bell = () => {
  const session = useSession();
  return session === null ? null : <OwnBell key={session.userId} />;
};

const OwnBell = () => {
  useNotificationsLive();
  const { data: count = 0 } = useQuery(unread(true));
  return (
    <ButtonLink className="bell" href="/notifications" kind="bare" isIcon aria-label={t.nav.notifications(count)}>
      <Icon name="bell" />
      {count > 0 && <b aria-hidden="true">{compact(count)}</b>}
    </ButtonLink>
  );
};
