import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { freezeAccount as freeze, unfreezeAccount } from '../people/moderation.ts';
import { handler } from './handler.ts';

export const freezeAccount = handler(
  definitions.freezeAccount,
  async ({ db, auth }, { frozen, reason, ...of }, { caller }) => {
    const userId = of.user_id.toLowerCase();
    if (userId === caller.userId) throw new MintageError('CANNOT_TARGET_SELF', 'You cannot freeze yourself.');
    await (frozen ? freeze : unfreezeAccount)(db, userId, { by: caller.userId, reason });
    auth.forgetUser(userId);
    return { success: true, frozen };
  },
);
