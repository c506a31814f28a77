import type { NotificationType } from '@mintage/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiOf } from '../../lib/api.ts';
import { notificationSettings } from '../../lib/notificationQueries.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/notifications.ts';
import { Blocks } from '../../ui/Empty.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { PushSwitch } from './PushSwitch.tsx';

/** All but those that cannot be switched off. */
const types = (Object.keys(t.notifications.types) as NotificationType[]).filter((type) => type !== 'security');

/** Which notifications come, and whether this browser is told. */
export const Settings = ({ isSignedIn }: { isSignedIn: boolean }) => {
  const client = useQueryClient();
  const act = useAct();
  const asked = notificationSettings(isSignedIn);
  const { data, error, refetch } = useQuery(asked);
  const change = (type: NotificationType, isOn: boolean) =>
    act.run(t.loading, async () => {
      client.setQueryData(asked.queryKey, await apiOf(client).notificationSettings({ types: { [type]: isOn } }));
    });
  return (
    <section className="card" aria-labelledby="told-settings">
      <div className="head">
        <h2 id="told-settings">{t.notifications.settings}</h2>
      </div>
      {error !== null && data === undefined && <Problem error={error} onRetry={() => void refetch()} />}
      {act.error !== null && <Problem error={act.error} />}
      {data === undefined && error === null && <Blocks count={8} height={40} />}
      {data !== undefined && (
        <ul className="told-types">
          <PushSwitch publicKey={data.push.public_key} />
          {types.map((type) => (
            <li key={type}>
              <span className="grow">{t.notifications.types[type]}</span>
              <Switch
                label={t.notifications.types[type]}
                isOn={data.settings[type]}
                isDisabled={act.doing !== null}
                onChange={(isOn) => void change(type, isOn)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
