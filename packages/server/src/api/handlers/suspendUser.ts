import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { suspendUser as suspend, unsuspendUser } from '../people/moderation.ts';
import { handler } from './handler.ts';

export const suspendUser = handler(
  definitions.suspendUser,
  async ({ db }, { suspended, reason, ...of }, { caller }) => {
    const userId = of.user_id.toLowerCase();
    if (userId === caller.userId) throw new MintageError('CANNOT_TARGET_SELF', 'You cannot suspend yourself.');
    await (suspended ? suspend : unsuspendUser)(db, userId, { by: caller.userId, reason });
    return { success: true, suspended };
  },
);
