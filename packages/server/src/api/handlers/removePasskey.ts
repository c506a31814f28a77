import { invalid } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { removeWayIn } from '../accounts/removeWayIn.ts';
import { handler } from './handler.ts';

export const removePasskey = handler(definitions.removePasskey, async (context, { id }, { caller }) => {
  const { userId } = caller;
  await removeWayIn(context, caller, {
    name: 'passkey',
    id,
    async actsFrom(tx) {
      const passkey = await tx
        .selectFrom('passkey')
        .select('acts_from')
        .where('credential_id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return passkey?.acts_from ?? null;
    },
    async remove(tx) {
      const removed = await tx
        .deleteFrom('passkey')
        .where('credential_id', '=', id)
        .where('user_id', '=', userId)
        .returning('credential_id')
        .executeTakeFirst();
      if (removed === undefined) throw invalid('id', 'must be one of your passkeys');
    },
  });
  return { success: true };
});
