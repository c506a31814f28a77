import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { apiOf } from '../../lib/api.ts';
import { type PeopleOf, peopleOf, readPeopleAgain, useViewer } from '../../lib/peopleQueries.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/people.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Blocks } from '../../ui/Empty.tsx';
import { Person } from '../../ui/Person.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { MoreButton } from './MoreButton.tsx';

/** Who follows somebody, whom they follow, or whom one blocks. */
export const PeopleDialog = ({ which, userId, onClose }: { which: PeopleOf; userId: string; onClose(): void }) => {
  const client = useQueryClient();
  const act = useAct();
  const list = useInfiniteQuery(peopleOf(which, userId, useViewer()));
  const users = list.data?.pages.flatMap((page) => page.users);
  const unblock = (id: string) =>
    act.run(t.loading, async () => {
      await apiOf(client).unblockUser({ user_id: id });
      await readPeopleAgain(client);
    });
  return (
    <Dialog title={t.profile.lists[which]} isOpen onClose={onClose}>
      {list.error !== null && users === undefined && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {act.error !== null && <Problem error={act.error} />}
      {users === undefined && list.error === null && <Blocks count={3} height={48} />}
      {users?.length === 0 && <p className="soft">{t.people.nobody}</p>}
      <ul className="people">
        {users?.map((user) => (
          <li key={user.id}>
            <div className="grow">
              <Person user={user} />
            </div>
            {which === 'blocked' && (
              <Button size="s" disabled={act.doing !== null} onClick={() => void unblock(user.id)}>
                {t.profile.unblock}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <MoreButton list={list} />
    </Dialog>
  );
};
