import { definitions } from '@mintage/protocol/operations';
import { idAsked, readerOf, requireUser } from '../people/asked.ts';
import { listUsers } from '../people/listed.ts';
import { handler } from './handler.ts';

export const getFollowing = handler(definitions.getFollowing, async ({ db }, { user_id, ...page }, { caller }) => {
  const userId = idAsked(user_id, readerOf(caller));
  await requireUser(db, userId);
  return listUsers(db, 'following', userId, page);
});
