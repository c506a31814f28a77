import { definitions } from '@mintage/protocol/operations';
import { signedIn } from '../accounts/signedIn.ts';
import { userOfWallet } from '../accounts/users.ts';
import { takeWalletText } from '../accounts/walletTexts/walletText.ts';
import { handler } from './handler.ts';

export const authLogin = handler(definitions.authLogin, (context, input, call) =>
  signedIn(context, call, async () => {
    const wallet = await takeWalletText(context, input, null);
    return { ...(await userOfWallet(context, wallet)), wallet };
  }),
);
