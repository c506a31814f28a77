import { read } from '../../lib/api.ts';
import { ownKey } from '../../lib/session.ts';

/** What an account has beside its wallets. */

export const passkeys = () => read([ownKey, 'passkeys'], (api, options) => api.listPasskeys({}, options));

/** With what each spent today, so it is asked again while it is looked at. */
export const apiKeys = () =>
  read([ownKey, 'keys'], (api, options) => api.listApiKeys({}, options), { refetchInterval: 5_000 });

export const grants = () =>
  read([ownKey, 'grants'], (api, options) => api.listGrants({}, options), { refetchInterval: 15_000 });

export const sessions = () =>
  read([ownKey, 'sessions'], (api, options) => api.listSessions({}, options), { refetchInterval: 15_000 });
