import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { forgetBetween } from '../notifications/retract.ts';
import { changeBetween, most, removeFollow } from '../people/between.ts';
import { handler } from './handler.ts';

export const blockUser = handler(definitions.blockUser, ({ db, now }, { user_id }, { caller }) =>
  changeBetween(db, caller.userId, user_id, async (tx, { one, other }) => {
    await removeFollow(tx, one, other);
    await removeFollow(tx, other, one);
    const added = await tx
      .insertInto('user_block')
      .values({ user_id: one, blocked_id: other, created_at: new Date(now()) })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
    const { blocks } = await tx
      .selectFrom('user_block')
      .select(({ fn }) => fn.countAll<number>().as('blocks'))
      .where('user_id', '=', one)
      .executeTakeFirstOrThrow();
    if (added !== undefined && blocks > most)
      throw new MintageError('TOO_MANY_FOLLOWS', `You block ${most} users, which is the most.`);
    await forgetBetween(tx, one, other);
    return { success: true, blocked: true };
  }),
);
