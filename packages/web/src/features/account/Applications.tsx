import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiOf } from '../../lib/api.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/account.ts';
import { Blocks } from '../../ui/Empty.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Sure } from '../../ui/Sure.tsx';
import { grants } from './queries.ts';
import { Spending, Uses } from './Spending.tsx';
import { Trouble } from './Trouble.tsx';

/** Applications that act for the person, each by its own leave. */
export const Applications = () => {
  const client = useQueryClient();
  const act = useAct();
  const { data, error, refetch } = useQuery(grants());
  const end = (id: string) =>
    act.run('', async () => {
      await apiOf(client).revokeGrant({ id });
      await client.invalidateQueries({ queryKey: grants().queryKey });
    });
  return (
    <section className="card" aria-labelledby="grants">
      <div className="head">
        <h2 id="grants">{t.account.grants.title}</h2>
        <span className="hint">{t.account.grants.text}</span>
      </div>
      {error !== null && data === undefined && <Problem error={error} onRetry={refetch} />}
      {act.error !== null && <Trouble act={act} />}
      {data === undefined && error === null && <Blocks count={1} height={64} />}
      {data?.grants.length === 0 && <p className="nothing">{t.account.grants.empty}</p>}
      <ul className="rows">
        {data?.grants.map((grant) => (
          <li key={grant.id}>
            <div className="grow">
              <div className="clip">
                <b>{grant.clientName}</b> <span className="muted">{t.account.grants.from(grant.redirectHost)}</span>
              </div>
              <Uses {...grant} />
              <Spending scopes={grant.scopes} budget={grant.budget} />
            </div>
            <Sure label={`${t.account.grants.end} ${grant.clientName}`} onSure={() => end(grant.id)}>
              {t.account.grants.end}
            </Sure>
          </li>
        ))}
      </ul>
    </section>
  );
};
