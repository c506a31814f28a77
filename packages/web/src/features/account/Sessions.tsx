import type { ListSessionsAnswer } from '@mintage/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiOf } from '../../lib/api.ts';
import type { SignedIn } from '../../lib/session.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/account.ts';
import { Address } from '../../ui/Address.tsx';
import { Ago } from '../../ui/Ago.tsx';
import { Button } from '../../ui/Button.tsx';
import { Blocks } from '../../ui/Empty.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Sure } from '../../ui/Sure.tsx';
import { sessions } from './queries.ts';
import { Trouble } from './Trouble.tsx';

type Session = ListSessionsAnswer['sessions'][number];

/** So many are listed at first, this one before all others. */
const atFirst = 5;

/** Where the person is signed in. The session that asks ends by signing out. */
export const Sessions = ({ by }: Pick<SignedIn, 'by'>) => {
  const client = useQueryClient();
  const act = useAct();
  const [isAll, setAll] = useState(false);
  const { data, error, refetch } = useQuery(sessions());
  const change = (work: () => Promise<unknown>) =>
    act.run('', async () => {
      await work();
      await client.invalidateQueries({ queryKey: sessions().queryKey });
    });
  const end = (id: string) => change(() => apiOf(client).endSession({ id }));
  const endOthers = () => change(() => apiOf(client).endOtherSessions());
  const all = data?.sessions ?? [];
  const hasOthers = all.some(({ current }) => !current);
  return (
    <section className="card" aria-labelledby="sessions">
      <div className="head">
        <h2 id="sessions">{t.account.sessions.title}</h2>
        {hasOthers ? (
          <Sure label={t.account.sessions.endOthers} onSure={endOthers}>
            {t.account.sessions.endOthers}
          </Sure>
        ) : (
          <span className="hint">{t.account.sessions.text}</span>
        )}
      </div>
      {error !== null && data === undefined && <Problem error={error} onRetry={refetch} />}
      {act.error !== null && <Trouble act={act} />}
      {data === undefined && error === null && <Blocks count={1} height={64} />}
      {by === 'issuer' && <p className="nothing">{t.account.sessions.issuer}</p>}
      <ul className="rows">
        {(isAll ? all : all.slice(0, atFirst)).map((session) => (
          <li key={session.id}>
            <div className="grow">
              <div className="clip">
                <b>{session.device ?? t.account.sessions.unknownDevice}</b>{' '}
                {session.current && <span className="muted">{t.account.sessions.current}</span>}
              </div>
              <Began {...session} />
            </div>
            {!session.current && (
              <Sure
                label={`${t.account.sessions.end} ${session.device ?? t.account.sessions.unknownDevice}`}
                onSure={() => end(session.id)}
              >
                {t.account.sessions.end}
              </Sure>
            )}
          </li>
        ))}
      </ul>
      {all.length > atFirst && !isAll && (
        <div className="more-rows">
          <Button kind="bare" size="s" onClick={() => setAll(true)}>
            {t.account.sessions.all(all.length)}
          </Button>
        </div>
      )}
    </section>
  );
};

/** By what a session was begun, and when it was seen. */
const Began = ({ by, wallet, passkey, createdAt, refreshedAt }: Session) => (
  <div className="hint">
    {by === 'passkey' ? t.account.sessions.byPasskey(passkey ?? '') : t.account.sessions.byWallet}{' '}
    {wallet !== null && <Address value={wallet} />} · {t.account.sessions.began} <Ago at={createdAt} /> {t.account.ago}{' '}
    · {t.account.sessions.seen} <Ago at={refreshedAt} /> {t.account.ago}
  </div>
);
