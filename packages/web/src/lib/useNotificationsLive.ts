import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLive } from './live.ts';
import { notificationsKey } from './notificationQueries.ts';
import { signedInUser } from './session.ts';

/** What comes together is read once, milliseconds. */
const settledMs = 300;

/** Has what concerns whoever is signed in read again as soon as they are told. For one user: another one's needs a component of its own. */
export const useNotificationsLive = (): void => {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive({ topic: 'notifications' }, () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // Another tab may have signed out, and this page not have heard of it yet.
      if (signedInUser() !== null) void client.invalidateQueries({ queryKey: notificationsKey });
    }, settledMs);
  });
};
