import { useQuery } from '@tanstack/react-query';
import { me } from '../../lib/queries.ts';
import type { SignedIn } from '../../lib/session.ts';
import * as t from '../../messages/en/account.ts';
import { Blocks } from '../../ui/Empty.tsx';
import { Hero } from '../../ui/Hero.tsx';
import { Problem } from '../../ui/Problem.tsx';
import './account.css';
import { Applications } from './Applications.tsx';
import { EmbeddedWallet } from './EmbeddedWallet.tsx';
import { Execution } from './Execution.tsx';
import { Here } from './Here.tsx';
import { Keys } from './Keys.tsx';
import { Sessions } from './Sessions.tsx';
import { WaysIn } from './WaysIn.tsx';
import { Whoami } from './Whoami.tsx';

/** @param session - Of whoever is signed in; null: the server does not know who asks, and the page says what it is until then. */
export const Account = ({ session }: { session: SignedIn | null }) => (
  <>
    <Hero title={t.account.title} act={session !== null && <Whoami session={session} />}>
      {t.account.description}
    </Hero>
    {session === null ? <Waiting rows={6} /> : <Sections session={session} />}
  </>
);

const Sections = ({ session }: { session: SignedIn }) => {
  const { data, error, refetch } = useQuery({ ...me(), refetchInterval: 5_000 });
  const account = data?.data;
  const isAwaited = error === null;
  return (
    <>
      {account === undefined && error !== null && <Problem error={error} onRetry={refetch} />}
      <div className="account">
        <div>
          {(account !== undefined || isAwaited) && <EmbeddedWallet account={account} />}
          <Keys />
          <Applications />
          <Sessions by={session.by} />
        </div>
        <aside>
          {account !== undefined ? (
            <Execution isPaused={account.execution.paused} />
          ) : (
            isAwaited && <Waiting rows={2} />
          )}
          {account !== undefined ? <WaysIn account={account} /> : isAwaited && <Waiting rows={4} />}
          <Here />
        </aside>
      </div>
    </>
  );
};

const Waiting = ({ rows }: { rows: number }) => (
  <section className="card">
    <Blocks count={rows} height={60} />
  </section>
);
