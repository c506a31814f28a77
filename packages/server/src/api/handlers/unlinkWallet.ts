import { invalid, MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { waitsUntil } from '../accounts/caller.ts';
import { requireConfirmation, tellAccess } from '../accounts/newAccess.ts';
import { holdSession, revokeSessions } from '../accounts/sessions.ts';
import { lockUser, ownWallets } from '../accounts/users.ts';
import { walletAddress } from '../accounts/walletTexts/walletForms.ts';
import { waysIn } from '../accounts/waysIn.ts';
import { handler } from './handler.ts';

export const unlinkWallet = handler(definitions.unlinkWallet, async (context, input, { caller }) => {
  const { db, auth, chains, config, now } = context;
  const { userId } = caller;
  const address = walletAddress(chains, input.address, 'address');
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    await holdSession(tx, caller, now());
    const wallet = (await ownWallets(tx, userId)).find((one) => one.address === address);
    if (wallet === undefined) throw invalid('address', 'must be a wallet that is linked to your account');
    // One that does not act yet is undone by any sign-in that does.
    if (waitsUntil(wallet.acts_from, now()) === null) await requireConfirmation({ ...context, db: tx }, caller);
    const ended = await tx
      .deleteFrom('session')
      .where('wallet', '=', address)
      .where('user_id', '=', userId)
      .returning(['session_id', 'user_id'])
      .execute();
    await revokeSessions(tx, ended);
    await tx.deleteFrom('user_wallet').where('address', '=', address).execute();
    await tx
      .insertInto('unlinked_wallet')
      .values({ address, user_id: userId, unlinked_at: new Date(now()) })
      .execute();
    const left = await waysIn(tx, config, userId, now());
    if (left.passkeys + left.wallets + left.identities === 0) {
      throw new MintageError('LAST_WAY_IN', 'Without this wallet no one could sign in to the account any more');
    }
    await tellAccess(tx, userId, 'wallet_unlinked', address, now());
  });
  auth.forgetUser(userId);
  return { success: true };
});
