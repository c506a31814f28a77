import type { ReportPostInput } from '@mintage/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { apiOf } from '../../lib/api.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/people.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Choice } from './Choice.tsx';

type Reason = ReportPostInput['reason'];
const reasons = Object.keys(t.posts.reasons) as Reason[];

/** Tells whoever runs the service what is wrong with a post. */
export const ReportDialog = ({ postId, onClose }: { postId: string; onClose(): void }) => {
  const client = useQueryClient();
  const act = useAct();
  const [isDone, setDone] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [reason, note] = [form.get('reason') as Reason, String(form.get('note')).trim()];
    const asked = { post_id: postId, reason, ...(note !== '' && { note }) };
    setDone(await act.run(t.loading, () => apiOf(client).reportPost(asked)));
  };
  return (
    <Dialog title={t.posts.reportTitle} isOpen onClose={onClose}>
      {isDone ? (
        <>
          <p role="status">{t.posts.reported}</p>
          <Button kind="ink" size="l" onClick={onClose} autoFocus>
            {t.close}
          </Button>
        </>
      ) : (
        <form className="stack" noValidate onSubmit={(event) => void send(event)}>
          <p className="soft">{t.posts.reportText}</p>
          <Choice legend={t.posts.reason} name="reason" options={reasons.map((one) => [one, t.posts.reasons[one]])} />
          <TextField label={t.posts.note} name="note" maxLength={500} />
          {act.error !== null && <Problem error={act.error} />}
          <Button kind="ink" size="l" type="submit" disabled={act.doing !== null}>
            {t.posts.sendReport}
          </Button>
        </form>
      )}
    </Dialog>
  );
};
