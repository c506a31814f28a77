import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiOf } from '../../lib/api.ts';
import { me } from '../../lib/queries.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/account.ts';
import { Switch } from '../../ui/Switch.tsx';
import { Trouble } from './Trouble.tsx';

/** The one switch that stops all signing by the wallet here. */
export const Execution = ({ isPaused }: { isPaused: boolean }) => {
  const client = useQueryClient();
  const act = useAct();
  const [isResumed, setResumed] = useState(false);
  const set = (isOn: boolean) =>
    act.run('', async () => {
      const api = apiOf(client);
      await (isOn ? api.resumeExecution() : api.pauseExecution());
      setResumed(isOn);
      await client.invalidateQueries({ queryKey: me().queryKey });
    });
  return (
    <section className="card pad stack signing" data-paused={isPaused ? '' : undefined} aria-labelledby="execution">
      <div className="row between">
        <h2 id="execution">{isPaused ? t.account.execution.titlePaused : t.account.execution.titleOn}</h2>
        <Switch label={t.account.execution.label} isOn={!isPaused} isDisabled={act.doing !== null} onChange={set} />
      </div>
      <p role="status" className={isPaused ? 'paused' : 'soft'}>
        {isPaused ? t.account.execution.off : t.account.execution.on}
      </p>
      {isPaused && isResumed && act.doing === null && <p className="hint">{t.account.execution.byOperator}</p>}
      {act.error !== null && <Trouble act={act} />}
    </section>
  );
};
