import { definitions } from '@mintage/protocol/operations';
import { changeBetween, removeFollow } from '../people/between.ts';
import { handler } from './handler.ts';

export const unfollowUser = handler(definitions.unfollowUser, ({ db }, { user_id }, { caller }) =>
  changeBetween(db, caller.userId, user_id, async (tx, { one, other, followers }) => {
    const was = await removeFollow(tx, one, other);
    return { success: true, following: false, followers_count: was ? followers - 1 : followers };
  }),
);
