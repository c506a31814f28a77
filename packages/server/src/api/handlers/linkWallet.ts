import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { actsFrom, requireConfirmation, tellAccess } from '../accounts/newAccess.ts';
import { holdSession } from '../accounts/sessions.ts';
import { addWallet, lockUser, ownWallets } from '../accounts/users.ts';
import { takeWalletText } from '../accounts/walletTexts/walletText.ts';
import { handler } from './handler.ts';

const mostWallets = 10;

export const linkWallet = handler(definitions.linkWallet, async (context, input, { caller }) => {
  const { db, seals, auth, now } = context;
  const confirmation = await requireConfirmation(context, caller);
  const acts_from = await actsFrom(context, caller, confirmation);
  const address = await takeWalletText(context, input, caller.userId);
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, caller.userId);
    await holdSession(tx, caller, now());
    if (!(await addWallet(tx, seals, caller.userId, { address, acts_from }))) {
      throw new MintageError('WALLET_TAKEN', `The wallet ${address} has an account of its own here`);
    }
    if ((await ownWallets(tx, caller.userId)).length > mostWallets) {
      throw new MintageError('TOO_MANY_WALLETS', `There are ${mostWallets} wallets already`);
    }
    await tellAccess(tx, caller.userId, 'wallet_linked', address, now());
  });
  auth.forgetUser(caller.userId);
  return { success: true, address, actsFrom: acts_from?.toISOString() ?? null };
});
