import type { Notice } from '../../db/happenings.ts';

/** What a user is told who is moderated. */
export const decision = (userId: string, key: string, rest: Partial<Notice>): Notice => ({
  kind: 'notification',
  user_id: userId,
  type: 'moderation',
  key,
  ...rest,
});
