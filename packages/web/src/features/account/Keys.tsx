import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiOf } from '../../lib/api.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/account.ts';
import { Button } from '../../ui/Button.tsx';
import { Blocks } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Sure } from '../../ui/Sure.tsx';
import { NewKey } from './NewKey.tsx';
import { apiKeys } from './queries.ts';
import { Spending, Uses } from './Spending.tsx';
import { Trouble } from './Trouble.tsx';

/** Keys of the person's own programs. */
export const Keys = () => {
  const client = useQueryClient();
  const act = useAct();
  const [isNew, setNew] = useState(false);
  const { data, error, refetch } = useQuery(apiKeys());
  const changed = () => client.invalidateQueries({ queryKey: apiKeys().queryKey });
  const revoke = (id: string) =>
    act.run('', async () => {
      await apiOf(client).revokeApiKey({ id });
      await changed();
    });
  return (
    <section className="card" aria-labelledby="keys">
      <div className="head">
        <h2 id="keys">{t.account.keys.title}</h2>
        <Button size="s" onClick={() => setNew(true)}>
          <Icon name="plus" />
          {t.account.keys.add}
        </Button>
      </div>
      {error !== null && data === undefined && <Problem error={error} onRetry={refetch} />}
      {act.error !== null && <Trouble act={act} />}
      {data === undefined && error === null && <Blocks count={1} height={64} />}
      {data?.keys.length === 0 && <p className="nothing">{t.account.keys.empty}</p>}
      <ul className="rows">
        {data?.keys.map((key) => (
          <li key={key.id}>
            <Icon name="key" />
            <div className="grow">
              <div className="clip">
                <b>{key.name}</b> <span className="mono muted">{key.prefix}…</span>
              </div>
              <Uses {...key} />
              <Spending {...key} />
            </div>
            <Sure label={`${t.account.keys.revoke} ${key.name}`} onSure={() => revoke(key.id)}>
              {t.account.keys.revoke}
            </Sure>
          </li>
        ))}
      </ul>
      <NewKey isOpen={isNew} onClose={() => setNew(false)} onMade={changed} />
    </section>
  );
};
