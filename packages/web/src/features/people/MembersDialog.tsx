import type { Hub, HubMember } from '@mintage/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiOf } from '../../lib/api.ts';
import { compact } from '../../lib/format.ts';
import { nameOf, type Person as Somebody } from '../../lib/people.ts';
import { hubMembers, readPeopleAgain, useViewer } from '../../lib/peopleQueries.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/people.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Blocks } from '../../ui/Empty.tsx';
import { Person } from '../../ui/Person.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { BanDialog } from './BanDialog.tsx';
import { MoreButton } from './MoreButton.tsx';
import { moderates } from './moderates.ts';

/** By number of order: a lower one commands the higher. */
const orders = { owner: 0, moderator: 10, member: 100 } as const;

/** Who is in a hub, and what those who command others may do to them. */
export const MembersDialog = ({ hub, onClose }: { hub: Hub; onClose(): void }) => {
  const viewer = useViewer();
  const list = useInfiniteQuery(hubMembers(hub.id, null, viewer));
  const [banning, setBanning] = useState<Somebody | null>(null);
  const members = list.data?.pages.flatMap((page) => page.members);
  const own = hub.my?.role ?? 'member';
  if (banning !== null) return <BanDialog user={banning} tokenId={hub.id} onClose={() => setBanning(null)} />;
  return (
    <Dialog title={t.hub.membersTitle(hub.token.symbol)} isOpen onClose={onClose}>
      {list.error !== null && members === undefined && (
        <Problem error={list.error} onRetry={() => void list.refetch()} />
      )}
      {members === undefined && list.error === null && <Blocks count={3} height={48} />}
      {members?.length === 0 && <p className="soft">{t.people.nobody}</p>}
      <ul className="people">
        {members?.map((member) => (
          <Member
            key={member.user.id}
            member={member}
            hub={hub}
            isBelow={moderates(hub) && member.order_no > orders[own]}
            onBan={() => setBanning(member.user)}
          />
        ))}
      </ul>
      <MoreButton list={list} />
    </Dialog>
  );
};

const Member = ({
  member: { user, role, holding },
  hub,
  isBelow,
  onBan,
}: {
  member: HubMember;
  hub: Hub;
  isBelow: boolean;
  onBan(): void;
}) => {
  const client = useQueryClient();
  const act = useAct();
  const other = role === 'moderator' ? 'member' : 'moderator';
  const change = () =>
    act.run(t.loading, async () => {
      await apiOf(client).setHubRole({ token_id: hub.id, user_id: user.id, role: other });
      await readPeopleAgain(client);
    });
  return (
    <li>
      <div className="grow">
        <Person user={user} />
        <span className="hint row">
          {role !== 'member' && <span className="tag">{t.hub.roles[role]}</span>}
          {holding !== null && t.hub.holds(compact(holding), hub.token.symbol)}
        </span>
      </div>
      {isBelow && (
        <span className="row wrap">
          {hub.my?.role === 'owner' && (
            <Button size="s" disabled={act.doing !== null} onClick={() => void change()}>
              {other === 'moderator' ? t.hub.makeModerator : t.hub.makeMember}
            </Button>
          )}
          <Button size="s" aria-label={t.hub.banTitle(nameOf(user))} onClick={onBan}>
            {t.hub.ban}
          </Button>
        </span>
      )}
      {act.error !== null && <Problem error={act.error} />}
    </li>
  );
};
