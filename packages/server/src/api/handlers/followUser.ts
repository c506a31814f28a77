import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { happened } from '../../db/happenings.ts';
import { addFollow, changeBetween, most, requireNotBlocked } from '../people/between.ts';
import { handler } from './handler.ts';

export const followUser = handler(definitions.followUser, ({ db, now }, { user_id }, { caller }) =>
  changeBetween(db, caller.userId, user_id, async (tx, { one, other, following, followers }) => {
    await requireNotBlocked(tx, one, other);
    const isNew = await addFollow(tx, one, other, now());
    if (isNew && following >= most)
      throw new MintageError('TOO_MANY_FOLLOWS', `You follow ${most} users, which is the most.`);
    if (isNew) {
      const notice = {
        kind: 'notification',
        user_id: other,
        type: 'follow',
        key: `follow:${one}`,
        actor_id: one,
      } as const;
      await happened(tx, [notice], new Date(now()));
    }
    return { success: true, following: true, followers_count: isNew ? followers + 1 : followers };
  }),
);
