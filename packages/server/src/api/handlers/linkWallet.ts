import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { holdSession } from '../accounts/sessions.ts';
import { addWallet, lockUser } from '../accounts/users.ts';
import { takeWalletText } from '../accounts/walletTexts/walletText.ts';
import { waysIn } from '../accounts/waysIn.ts';
import { handler } from './handler.ts';

const mostWallets = 10;

export const linkWallet = handler(definitions.linkWallet, async (context, input, { caller }) => {
  const { db, seals, auth, config, now } = context;
  const address = await takeWalletText(context, input, caller.userId);
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, caller.userId);
    await holdSession(tx, caller, now());
    if (!(await addWallet(tx, seals, caller.userId, address))) {
      throw new MintageError('WALLET_TAKEN', `The wallet ${address} has an account of its own here`);
    }
    if ((await waysIn(tx, config, caller.userId)).wallets > mostWallets) {
      throw new MintageError('TOO_MANY_WALLETS', `There are ${mostWallets} wallets already`);
    }
  });
  auth.forgetUser(caller.userId);
  return { success: true, address };
});
