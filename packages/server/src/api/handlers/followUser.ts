import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { addFollow, changeBetween, isBlockedPair, most } from '../people/between.ts';
import { handler } from './handler.ts';

export const followUser = handler(definitions.followUser, ({ db, now }, { user_id }, { caller }) =>
  changeBetween(db, caller.userId, user_id, async (tx, { one, other, following, followers }) => {
    if (await isBlockedPair(tx, one, other)) throw new MintageError('BLOCKED', 'One of you has blocked the other.');
    const isNew = await addFollow(tx, one, other, now());
    if (isNew && following >= most)
      throw new MintageError('TOO_MANY_FOLLOWS', `You follow ${most} users, which is the most.`);
    return { success: true, following: true, followers_count: isNew ? followers + 1 : followers };
  }),
);
