import { useSyncExternalStore } from 'react';
import { connection } from '../lib/connection.ts';
import { useNow } from '../lib/now.ts';
import * as t from '../messages/en/common.ts';

/** A line below the bar while the service cannot be reached, with the age of what is shown. */
export const Offline = () => {
  const lostAtMs = useSyncExternalStore(connection.subscribe, connection.lostAtMs, () => null);
  const nowMs = useNow();
  if (lostAtMs === null) return null;
  return (
    <div className="offline" role="status">
      {t.offline(`${Math.max(0, Math.floor((nowMs - lostAtMs) / 1_000))} s`)}
    </div>
  );
};
