import { z } from 'zod';
import { Notification, NotificationType } from '../schemas/notifications.ts';
import { Cursor, CursorPage, limitUpTo } from '../schemas/paging.ts';
import { optional } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const getNotifications = operation({
  name: 'getNotifications',
  summary: 'Lists what concerns the caller, the newest first.',
  description:
    'Kept for 90 days, and never more than 1,000 a user. What a reorganisation of a chain takes back is not in the list any more. ' +
    'The stream `notifications` tells each as it comes.',
  method: 'POST',
  path: '/get-notifications',
  tag: 'People',
  input: z.object({
    unread_only: optional(z.boolean()).meta({ description: 'true: without those that are marked as read.' }),
    types: optional(z.array(NotificationType).max(20)).meta({ description: 'Only these types; absent or empty: all.' }),
    limit: limitUpTo(100, 20),
    cursor: optional(Cursor),
  }),
  output: z.object({
    success: z.literal(true),
    notifications: z.array(Notification),
    unread_count: z.int().nonnegative().meta({ description: 'Of all that are kept, not of this page.' }),
    pagination: CursorPage,
  }),
  errors: [],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
  example: { unread_only: true },
});
