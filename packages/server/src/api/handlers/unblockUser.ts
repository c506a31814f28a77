import { definitions } from '@mintage/protocol/operations';
import { changeBetween } from '../people/between.ts';
import { handler } from './handler.ts';

export const unblockUser = handler(definitions.unblockUser, ({ db }, { user_id }, { caller }) =>
  changeBetween(db, caller.userId, user_id, async (tx, { one, other }) => {
    await tx.deleteFrom('user_block').where('user_id', '=', one).where('blocked_id', '=', other).execute();
    return { success: true, blocked: false };
  }),
);
