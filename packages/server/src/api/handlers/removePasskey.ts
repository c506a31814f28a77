import { invalid, MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { waitsUntil } from '../accounts/caller.ts';
import { requireConfirmation, tellAccess } from '../accounts/newAccess.ts';
import { holdSession, revokeSessions } from '../accounts/sessions.ts';
import { lockUser } from '../accounts/users.ts';
import { waysIn } from '../accounts/waysIn.ts';
import { handler } from './handler.ts';

export const removePasskey = handler(definitions.removePasskey, async (context, { id }, { caller }) => {
  const { db, auth, config, now } = context;
  await db.transaction().execute(async (tx) => {
    // Of two passkeys that remove each other at once, one stays.
    await lockUser(tx, caller.userId);
    await holdSession(tx, caller, now());
    const passkey = await tx
      .selectFrom('passkey')
      .select('acts_from')
      .where('credential_id', '=', id)
      .where('user_id', '=', caller.userId)
      .executeTakeFirst();
    // One that does not act yet is undone by any sign-in that does.
    if (waitsUntil(passkey?.acts_from ?? null, now()) === null)
      await requireConfirmation({ ...context, db: tx }, caller);
    // Its sessions go with it.
    const ended = await tx
      .selectFrom('session')
      .select(['session_id', 'user_id'])
      .where('passkey_id', '=', id)
      .where('user_id', '=', caller.userId)
      .execute();
    await revokeSessions(tx, ended);
    const removed = await tx
      .deleteFrom('passkey')
      .where('credential_id', '=', id)
      .where('user_id', '=', caller.userId)
      .returning('credential_id')
      .executeTakeFirst();
    if (removed === undefined) throw invalid('id', 'must be one of your passkeys');
    const { passkeys, wallets, identities } = await waysIn(tx, config, caller.userId, now());
    if (passkeys + wallets + identities === 0) {
      throw new MintageError('LAST_WAY_IN', 'Without this passkey no one could sign in to the account any more');
    }
    await tellAccess(tx, caller.userId, 'passkey_removed', id, now());
  });
  auth.forgetUser(caller.userId);
  return { success: true };
});
