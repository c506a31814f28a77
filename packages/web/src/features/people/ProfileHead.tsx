import type { UserProfile } from '@mintage/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { apiOf } from '../../lib/api.ts';
import { linkNames } from '../../lib/links.ts';
import { handleOf, nameOf } from '../../lib/people.ts';
import { type PeopleOf, readPeopleAgain, useViewer } from '../../lib/peopleQueries.ts';
import { webAddress } from '../../lib/strangerLink.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/people.ts';
import { Address, Copy } from '../../ui/Address.tsx';
import { Button } from '../../ui/Button.tsx';
import { Money } from '../../ui/Money.tsx';
import { Avatar } from '../../ui/Person.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Sure } from '../../ui/Sure.tsx';
import { signedIn } from './signedIn.ts';

/** Loaded by those who open them. */
const EditDialog = lazy(() => import('./EditDialog.tsx').then(({ EditDialog: dialog }) => ({ default: dialog })));
const PeopleDialog = lazy(() => import('./PeopleDialog.tsx').then(({ PeopleDialog: dialog }) => ({ default: dialog })));

/** Who somebody is, by their own words, and what one can do about them. */
export const ProfileHead = ({ user }: { user: UserProfile }) => {
  const viewer = useViewer();
  const isOwn = viewer === user.id;
  const [opened, setOpened] = useState<PeopleOf | 'edit' | null>(null);
  const handle = handleOf(user);
  return (
    <section className="card profile-head" aria-label={t.profile.title}>
      {user.banner_url !== null && <img className="wide-picture" src={user.banner_url} alt="" />}
      <div className="profile-in">
        <div className="profile-who">
          <Avatar user={user} size="xl" />
          <div className="grow">
            <h1>
              <bdi>{nameOf(user)}</bdi>
            </h1>
            <p className="meta soft">
              {handle !== null && <span>{handle}</span>}
              {isOwn && <span className="tag">{t.profile.isYou}</span>}
              {user.is_followed_by && <span className="tag">{t.profile.followsYou}</span>}
            </p>
          </div>
          {isOwn ? (
            <div className="row wrap">
              <Button aria-haspopup="dialog" onClick={() => setOpened('edit')}>
                {t.profile.edit}
              </Button>
              <Button kind="bare" aria-haspopup="dialog" onClick={() => setOpened('blocked')}>
                {t.profile.blocked}
              </Button>
            </div>
          ) : (
            <Between user={user} />
          )}
        </div>
        {user.is_blocked && <p className="note">{t.profile.blockedText}</p>}
        {user.bio !== null && (
          <p className="post-text" dir="auto">
            {user.bio}
          </p>
        )}
        <Links links={user.links} />
        <p className="meta">
          <span>{t.profile.counts.posts(user.posts_count)}</span>
          <button type="button" className="link" aria-haspopup="dialog" onClick={() => setOpened('followers')}>
            {t.profile.counts.followers(user.followers_count)}
          </button>
          <button type="button" className="link" aria-haspopup="dialog" onClick={() => setOpened('following')}>
            {t.profile.counts.following(user.following_count)}
          </button>
          {user.tokens_created_count !== null && <span>{t.profile.counts.tokens(user.tokens_created_count)}</span>}
          {user.total_earned_usd !== null && (
            <span>
              <Money value={user.total_earned_usd} /> {t.profile.earned}
            </span>
          )}
        </p>
        <p className="meta hint">
          <span>{t.profile.joined(t.people.day(user.created_at))}</span>
          {user.address !== null && (
            <span className="row">
              <Address value={user.address} />
              <Copy text={user.address} label={t.copyAddress} />
            </span>
          )}
        </p>
      </div>
      <Suspense fallback={null}>
        {opened === 'edit' && <EditDialog user={user} onClose={() => setOpened(null)} />}
        {opened !== null && opened !== 'edit' && (
          <PeopleDialog which={opened} userId={user.id} onClose={() => setOpened(null)} />
        )}
      </Suspense>
    </section>
  );
};

/** Following and blocking somebody else. */
const Between = ({ user }: { user: UserProfile }) => {
  const client = useQueryClient();
  const act = useAct();
  const who = { user_id: user.id };
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    if (!(await signedIn())) return;
    await act.run(t.loading, async () => {
      await work();
      await readPeopleAgain(client);
    });
  };
  const api = apiOf(client);
  const isBusy = act.doing !== null;
  return (
    <div className="between-acts">
      <div className="row wrap">
        {user.is_blocked ? (
          <Button disabled={isBusy} onClick={() => void change(() => api.unblockUser(who))}>
            {t.profile.unblock}
          </Button>
        ) : (
          <>
            {user.is_following ? (
              <Button disabled={isBusy} onClick={() => void change(() => api.unfollowUser(who))}>
                {t.profile.unfollow}
              </Button>
            ) : (
              <Button kind="ink" disabled={isBusy} onClick={() => void change(() => api.followUser(who))}>
                {t.profile.follow}
              </Button>
            )}
            <Sure label={t.profile.blockThem(nameOf(user))} onSure={() => void change(() => api.blockUser(who))}>
              {t.profile.block}
            </Sure>
          </>
        )}
      </div>
      {act.error !== null && <Problem error={act.error} />}
    </div>
  );
};

const Links = ({ links }: { links: UserProfile['links'] }) => {
  const shown = linkNames.flatMap((name) => {
    const href = webAddress(links[name]);
    return href === null ? [] : [{ name: t.linkNames[name], href }];
  });
  if (shown.length === 0) return null;
  return (
    <ul className="profile-links">
      {shown.map(({ name, href }) => (
        <li key={name}>
          <span className="muted">{name}</span>{' '}
          <a className="link" href={href} target="_blank" rel="noopener nofollow ugc">
            {href.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')}
          </a>
        </li>
      ))}
    </ul>
  );
};
