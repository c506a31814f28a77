import { read, readPages } from './api.ts';
import { ownKey } from './session.ts';

/** Questions about what concerns the caller: only somebody who is signed in asks them. */

export const notificationsKey = [ownKey, 'notifications'] as const;

export const notifications = (isSignedIn: boolean) =>
  readPages(
    [...notificationsKey, 'list'],
    (api, from, options) => api.getNotifications({ ...from, limit: 20 }, options),
    {
      enabled: isSignedIn,
    },
  );

/** How many are not read yet; asked where the stream of them is lost. */
export const unread = (isSignedIn: boolean) =>
  read(
    [...notificationsKey, 'unread'],
    (api, options) =>
      api.getNotifications({ unread_only: true, limit: 1 }, options).then(({ unread_count: count }) => count),
    { enabled: isSignedIn, refetchInterval: 60_000 },
  );

export const notificationSettings = (isSignedIn: boolean) =>
  read([...notificationsKey, 'settings'], (api, options) => api.notificationSettings({}, options), {
    enabled: isSignedIn,
  });
