import type { Hub, TokenAbout } from '@mintage/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { apiOf } from '../../lib/api.ts';
import { readPeopleAgain, useViewer } from '../../lib/peopleQueries.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/people.ts';
import { Button } from '../../ui/Button.tsx';
import { Person } from '../../ui/Person.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { SignInLink } from '../../ui/SignInLink.tsx';
import { Sure } from '../../ui/Sure.tsx';
import { leastOf } from './MayPost.tsx';
import { moderates } from './moderates.ts';

/** Loaded by those who open them. */
const MembersDialog = lazy(() =>
  import('./MembersDialog.tsx').then(({ MembersDialog: dialog }) => ({ default: dialog })),
);
const ManageDialog = lazy(() => import('./ManageDialog.tsx').then(({ ManageDialog: dialog }) => ({ default: dialog })));

type Said = Pick<TokenAbout, 'description' | 'banner_url'>;

/**
 * The hub of a token: its rules, who is in it, and joining it.
 *
 * @param invite - That the address of the page carries; null: none.
 * @param about - What its token says of itself, which is not said again.
 */
export const HubCard = ({ hub, invite, about }: { hub: Hub; invite: string | null; about: Said }) => {
  const client = useQueryClient();
  const viewer = useViewer();
  const act = useAct();
  const [opened, setOpened] = useState<'members' | 'manage' | null>(null);
  const { token, my } = hub;
  const isMember = my?.is_member === true;
  const change = (work: () => Promise<unknown>) =>
    act.run(t.loading, async () => {
      await work();
      await readPeopleAgain(client);
    });
  const join = () => change(() => apiOf(client).joinHub({ token_id: hub.id, ...(invite !== null && { invite }) }));
  const leave = () => change(() => apiOf(client).leaveHub({ token_id: hub.id }));
  return (
    <section className="card hub" aria-labelledby="hub">
      <div className="head">
        <h2 id="hub">{t.hub.title}</h2>
        <div className="row">
          {my?.role != null && <span className="tag">{t.hub.roles[my.role]}</span>}
          {moderates(hub) && (
            <Button size="s" aria-haspopup="dialog" onClick={() => setOpened('manage')}>
              {t.hub.manage}
            </Button>
          )}
          {viewer === null ? (
            <SignInLink size="s">{t.hub.signInToJoin}</SignInLink>
          ) : isMember ? (
            my?.role !== 'owner' && (
              <Sure label={t.hub.leaveIt(token.symbol)} onSure={() => void leave()}>
                {t.hub.leave}
              </Sure>
            )
          ) : (
            (!hub.invite_only || invite !== null) && (
              <Button size="s" kind="ink" disabled={act.doing !== null} onClick={() => void join()}>
                {invite !== null && hub.invite_only ? t.hub.joinInvited : t.hub.join}
              </Button>
            )
          )}
        </div>
      </div>
      {hub.banner_url !== null && hub.banner_url !== about.banner_url && (
        <img className="wide-picture" src={hub.banner_url} alt="" loading="lazy" />
      )}
      <div className="hub-in">
        {act.error !== null && <Problem error={act.error} />}
        {invite !== null && !isMember && <p className="hub-invited">{t.hub.invited}</p>}
        {hub.description !== '' && hub.description !== about.description && <Text>{hub.description}</Text>}
        <div className="hub-facts hint">
          <button type="button" className="link" aria-haspopup="dialog" onClick={() => setOpened('members')}>
            {t.hub.members(hub.members_count)}
          </button>
          {hub.owner !== null && (
            <span className="row">
              {t.hub.roles.owner} <Person user={hub.owner} />
            </span>
          )}
          <span>{mayPostIn(hub)}</span>
          {hub.invite_only && <span>{t.hub.inviteOnly}</span>}
        </div>
        {hub.rules !== null && (
          <details>
            <summary className="lab">{t.hub.rules}</summary>
            <Text>{hub.rules}</Text>
          </details>
        )}
      </div>
      <Suspense fallback={null}>
        {opened === 'members' && <MembersDialog hub={hub} onClose={() => setOpened(null)} />}
        {opened === 'manage' && <ManageDialog hub={hub} onClose={() => setOpened(null)} />}
      </Suspense>
    </section>
  );
};

/** Words of a stranger. */
const Text = ({ children }: { children: ReactNode }) => (
  <p className="post-text" dir="auto">
    {children}
  </p>
);

const mayPostIn = (hub: Hub): string => {
  if (hub.post_rule === 'holders') return t.hub.mayPost.holders(leastOf(hub), hub.token.symbol);
  return t.hub.mayPost[hub.post_rule];
};
