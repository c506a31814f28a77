import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { apiOf } from '../../lib/api.ts';
import { nameOf, type Person } from '../../lib/people.ts';
import { readPeopleAgain } from '../../lib/peopleQueries.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/people.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Choice } from './Choice.tsx';

const days = { day: 1, week: 7, month: 30, good: null } as const;
type Time = keyof typeof days;

/** Bans somebody from a hub, or lifts their ban. */
export const BanDialog = ({ user, tokenId, onClose }: { user: Person; tokenId: string; onClose(): void }) => {
  const client = useQueryClient();
  const act = useAct();
  const [told, setTold] = useState<string | null>(null);
  const who = { token_id: tokenId, user_id: user.id };
  const change = async (work: () => Promise<unknown>, said: string): Promise<void> => {
    if (await act.run(t.loading, work)) setTold(said);
  };
  // Not before it is told: the post that this was opened from may be gone with the ban.
  const close = (): void => {
    onClose();
    if (told !== null) void readPeopleAgain(client);
  };
  const ban = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const time = days[form.get('time') as Time];
    const until = time === null ? null : new Date(Date.now() + time * 86_400_000).toISOString();
    const asked = { ...who, ...(until !== null && { until }), delete_posts: form.get('posts') === 'on' };
    void change(() => apiOf(client).banFromHub(asked), t.hub.banned);
  };
  return (
    <Dialog title={t.hub.banTitle(nameOf(user))} isOpen onClose={close}>
      {told !== null ? (
        <>
          <p role="status">{told}</p>
          <Button kind="ink" size="l" onClick={close} autoFocus>
            {t.close}
          </Button>
        </>
      ) : (
        <form className="stack" noValidate onSubmit={ban}>
          <Choice
            legend={t.hub.banFor}
            name="time"
            options={(Object.keys(days) as Time[]).map((one) => [one, t.hub.banTimes[one]])}
          />
          <label className="check">
            <input type="checkbox" name="posts" />
            {t.hub.banPosts}
          </label>
          {act.error !== null && <Problem error={act.error} />}
          <Button kind="down" size="l" type="submit" disabled={act.doing !== null}>
            {t.hub.ban}
          </Button>
          <Button
            size="l"
            disabled={act.doing !== null}
            onClick={() => void change(() => apiOf(client).unbanFromHub(who), t.hub.unbanned)}
          >
            {t.hub.unban}
          </Button>
        </form>
      )}
    </Dialog>
  );
};
