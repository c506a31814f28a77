import { invalid } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { unreadCount } from '../notifications/showNotifications.ts';
import { oneOf } from '../reads/oneOf.ts';
import { handler } from './handler.ts';

export const markNotificationsRead = handler(
  definitions.markNotificationsRead,
  async ({ db, now }, { ids, up_to: upTo, all }, { caller }) => {
    if ([ids, upTo, all].filter((each) => each !== undefined).length !== 1)
      throw invalid('', 'must have exactly one of ids, up_to and all');
    // One that grows at this moment stays unread, as it would a moment later.
    const unread = db
      .selectFrom('notification')
      .select('notification_id')
      .where('user_id', '=', caller.userId)
      .where('read_at', 'is', null)
      .forUpdate()
      .skipLocked()
      .$if(ids !== undefined, (query) =>
        query.where(
          oneOf(
            'notification_id',
            (ids ?? []).map((id) => id.toLowerCase()),
          ),
        ),
      )
      .$if(upTo !== undefined, (query) => query.where('seq', '<=', upTo ?? 0));
    await db
      .updateTable('notification')
      .set({ read_at: new Date(now()) })
      .where('notification_id', 'in', unread)
      .execute();
    return { success: true, unread_count: await unreadCount(db, caller.userId) };
  },
);
