import { definitions } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { showNotifications, unreadCount } from '../notifications/showNotifications.ts';
import { cursorPage, readCursor } from '../wire/cursor.ts';
import { handler } from './handler.ts';

export const getNotifications = handler(definitions.getNotifications, async (context, input, { caller }) => {
  const { db } = context;
  const { unread_only: unreadOnly = false, types = [], limit } = input;
  // The id of a place is the number: one that grows meanwhile moves to the front, and is not shown again.
  const after = readCursor(input.cursor, (id) => /^\d{1,18}$/.test(id));
  const rows = await db
    .selectFrom('notification')
    .selectAll()
    .where('user_id', '=', caller.userId)
    .where('retracted_at', 'is', null)
    .$if(unreadOnly, (query) => query.where('read_at', 'is', null))
    .$if(types.length > 0, (query) => query.where('type', 'in', types))
    .$if(after !== null, (query) => query.where(sql<boolean>`seq < ${after?.id}::int8`))
    .orderBy('seq', 'desc')
    .limit(limit + 1)
    .execute();
  const { page, pagination } = cursorPage(rows, limit, ({ created_at: time, seq }) => ({ time, id: String(seq) }));
  const [notifications, unread_count] = await Promise.all([
    showNotifications(context, page),
    unreadCount(db, caller.userId),
  ]);
  return { success: true, notifications, unread_count, pagination };
});
