import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiOf } from '../../lib/api.ts';
import { useDeployment } from '../../lib/deployment.ts';
import { hasPush, pushSubscription } from '../../lib/push.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/notifications.ts';
import { Problem } from '../../ui/Problem.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { endPush, startPush } from './browserPush.ts';

/** Whether this browser is told, also while the app is closed. */
export const PushSwitch = ({ publicKey }: { publicKey: string }) => {
  const client = useQueryClient();
  const { base } = useDeployment();
  const act = useAct();
  const asked = { queryKey: ['push'], queryFn: async () => (await pushSubscription()) !== null, enabled: hasPush() };
  const { data: isOn = false } = useQuery(asked);
  const isDenied = hasPush() && Notification.permission === 'denied';
  const change = (next: boolean) =>
    act.run(t.loading, async () => {
      const api = apiOf(client);
      await (next ? startPush(api, base, publicKey) : endPush(api));
      await client.invalidateQueries({ queryKey: asked.queryKey });
    });
  const hint = hasPush()
    ? isDenied
      ? t.notifications.pushDenied
      : t.notifications.pushText
    : t.notifications.pushMissing;
  return (
    <li>
      <span className="grow">
        {t.notifications.push}
        <span className="hint">{hint}</span>
        {act.error !== null && <Problem error={act.error} />}
      </span>
      <Switch
        label={t.notifications.push}
        isOn={isOn}
        isDisabled={!hasPush() || (isDenied && !isOn) || act.doing !== null}
        onChange={(next) => void change(next)}
      />
    </li>
  );
};
