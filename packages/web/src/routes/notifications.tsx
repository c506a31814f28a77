import { Notifications } from '../features/notifications/Notifications.tsx';
import type { PageModule } from '../lib/route.ts';
import * as t from '../messages/en/notifications.ts';

export default Notifications;

export const prepare: PageModule['prepare'] = () => ({
  title: t.notifications.title,
  description: t.notifications.description,
  isHidden: true,
});
